import Testing

@testable import KaChatClient

@Suite struct HTTPReaderTests {
    /// Reads everything in the bytes, given `step` at a time.
    private func read(_ text: String, step: Int) throws -> (heads: [HTTPReader.Head], body: String, HTTPReader) {
        var reader = HTTPReader()
        var heads: [HTTPReader.Head] = []
        var body: [UInt8] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: step) {
            reader.append(Array(bytes[start..<min(start + step, bytes.count)]))
            if heads.isEmpty, let head = try reader.head() { heads.append(head) }
            guard !heads.isEmpty else { continue }
            while let part = try reader.body() { body += part }
        }
        return (heads, String(decoding: body, as: UTF8.self), reader)
    }

    @Test(arguments: [1, 2, 3, 7, 1000]) func anAnswerDoesNotDependOnTheCut(step: Int) throws {
        let text = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Y:  z\r\n\r\nhello"
        let (heads, body, reader) = try read(text, step: step)
        #expect(heads.map(\.status) == [200])
        #expect(heads[0].headers.map(\.name) == ["content-length", "x-y"])
        #expect(heads[0].headers.map(\.value) == ["5", "z"])
        #expect(body == "hello")
        #expect(reader.isReusable)
    }

    @Test(arguments: [1, 2, 3, 7, 1000]) func chunksAreJoined(step: Int) throws {
        let text =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "5\r\nhello\r\n1c;x=y\r\n, and so on, to here: 012345\r\n"
            + "0\r\nTrailer: 1\r\n\r\n"
        let (_, body, reader) = try read(text, step: step)
        #expect(body == "hello, and so on, to here: 012345")
        #expect(reader.isReusable)
    }

    @Test func whatEndsWithTheConnectionIsNotUsedAgain() throws {
        var (_, body, reader) = try read("HTTP/1.1 200 OK\r\n\r\nall of it", step: 4)
        #expect(body == "all of it")
        #expect(!reader.isOver)
        try reader.end()
        #expect(reader.isOver && !reader.isReusable)
        let closing = try read("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", step: 9).2
        #expect(closing.isOver && !closing.isReusable)
        let tooMuch = try read("HTTP/1.1 304 Not Modified\r\n\r\nHTTP/1.1 200 OK\r\n", step: 100).2
        #expect(tooMuch.isOver && !tooMuch.isReusable)
    }

    @Test func aBodyThatIsCutOffIsNoWholeOne() throws {
        for text in ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", "HTTP/1.1 200 OK\r\nContent-Le"] {
            var (_, _, reader) = try read(text, step: 100)
            #expect(throws: ClientError.self) { try reader.end() }
        }
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
        "HTTP/1.1 200 OK\r\n" + String(repeating: "x: y\r\n", count: 20_000),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + String(repeating: "x: y\r\n", count: 20_000),
    ])
    func whatIsNoHTTPIsRefused(text: String) {
        let error = #expect(throws: ClientError.self) { try read(text, step: 4096) }
        #expect(error?.code == .badAnswer)
    }
}
