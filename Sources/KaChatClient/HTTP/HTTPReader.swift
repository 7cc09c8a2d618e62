/// Parses one HTTP/1.1 answer (RFC 9112) from a stream of bytes, however it is split. Pure: bytes in, parts out.
package struct HTTPReader {
    package struct Head: Equatable {
        package let status: Int
        /// Names in lower case.
        let headers: [Header]
    }

    struct Header: Equatable {
        let name: String
        let value: String
    }

    /// The way the body's end is marked; each case lists its successors.
    private enum Framing {
        /// Reading the head; next: any.
        case head
        /// This many bytes remain; next: `over`.
        case length(Int)
        /// Expects a chunk's size, or the rest of a chunk; next: `trailers`.
        case chunk(rest: Int)
        /// Expects the line end after a chunk; next: `chunk`.
        case chunkEnd
        /// Lines up to an empty one, with this many bytes at most; next: `over`.
        case trailers(left: Int)
        /// Everything until the node closes; next: `over`.
        case close
        case over
    }

    private var bytes: [UInt8] = []
    private var framing = Framing.head

    package init() {}

    package mutating func append(_ new: [UInt8]) {
        if bytes.isEmpty { bytes = new } else { bytes += new }
    }

    package var isOver: Bool { if case .over = framing { true } else { false } }
    /// True if the connection can serve another request: nothing unexpected has arrived.
    var isReusable: Bool { isOver && bytes.isEmpty && !closes }
    private var closes = false

    // MARK: Head

    /// The head; nil until it is complete.
    package mutating func head() throws(ClientError) -> Head? {
        while true {
            guard let end = Self.headEnd(bytes) else {
                guard bytes.count <= Limits.headBytes else { throw .badAnswer("its head is too long") }
                return nil
            }
            let head = try Self.parse(bytes[..<end])
            bytes.removeSubrange(..<(end + 4))
            // Interim responses come before the final one.
            guard head.status >= 200 else { continue }
            try frame(head)
            return head
        }
    }

    private mutating func frame(_ head: Head) throws(ClientError) {
        func value(_ name: String) -> String? { head.headers.first { $0.name == name }?.value.lowercased() }
        closes = value("connection") == "close"
        if head.status == 204 || head.status == 304 {
            framing = .over
        } else if value("transfer-encoding") == "chunked" {
            framing = .chunk(rest: 0)
        } else if let text = value("content-length") {
            guard let length = Int(text), length >= 0 else { throw .badAnswer("its length is `\(text)`") }
            framing = length == 0 ? .over : .length(length)
        } else {
            framing = .close
            closes = true
        }
    }

    private static func headEnd(_ bytes: [UInt8]) -> Int? {
        var start = bytes.startIndex
        while let index = bytes[start...].firstIndex(of: 0x0D), index + 3 < bytes.count {
            if bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D, bytes[index + 3] == 0x0A { return index }
            start = index + 1
        }
        return nil
    }

    private static func parse(_ bytes: ArraySlice<UInt8>) throws(ClientError) -> Head {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines[0].split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]), (100...599).contains(status)
        else { throw .badAnswer("it is not HTTP") }
        var headers: [Header] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw .badAnswer("a header has no colon") }
            headers.append(
                Header(
                    name: line[..<colon].lowercased(),
                    value: String(line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" })))
        }
        return Head(status: status, headers: headers)
    }

    // MARK: Body

    /// The next bytes of the body; nil if there are none yet. Once `isOver`, there are no more.
    package mutating func body() throws(ClientError) -> [UInt8]? {
        while true {
            switch framing {
            case .head, .over: return nil
            case .close: return take(bytes.count)
            case .length(let length):
                let part = take(length)
                framing = length == part?.count ? .over : .length(length - (part?.count ?? 0))
                return part
            case .chunk(0):
                guard let line = try line() else { return nil }
                let digits = line.prefix { $0 != ";" && $0 != " " }
                guard let size = Int(digits, radix: 16), size >= 0 else { throw .badAnswer("a chunk has no size") }
                framing = size == 0 ? .trailers(left: Limits.headBytes) : .chunk(rest: size)
            case .chunk(let rest):
                let part = take(rest)
                framing = rest == part?.count ? .chunkEnd : .chunk(rest: rest - (part?.count ?? 0))
                return part
            case .chunkEnd:
                guard let line = try line() else { return nil }
                guard line.isEmpty else { throw .badAnswer("a chunk is longer than it says") }
                framing = .chunk(rest: 0)
            case .trailers(let left):
                guard let line = try line() else { return nil }
                guard line.utf8.count < left else { throw .badAnswer("its trailers are too long") }
                framing = line.isEmpty ? .over : .trailers(left: left - line.utf8.count - 1)
            }
        }
    }

    /// The node closed the connection: this ends a body without a length, and cuts off any other.
    mutating func end() throws(ClientError) {
        guard case .close = framing else { throw Socket.cutOff }
        framing = .over
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
        guard !bytes.isEmpty else { return nil }
        if bytes.count <= count {
            defer { bytes = [] }
            return bytes
        }
        defer { bytes.removeSubrange(..<count) }
        return Array(bytes[..<count])
    }

    private mutating func line() throws(ClientError) -> String? {
        guard let end = bytes.firstIndex(of: 0x0A) else {
            guard bytes.count <= Limits.headBytes else { throw .badAnswer("a line in it is too long") }
            return nil
        }
        let line = bytes[..<end]
        defer { bytes.removeSubrange(...end) }
        return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
}
