import ProcessHarness
import Testing

@testable import Commands
@testable import Node

@Suite struct GzipBodyTests {
    private func request(_ header: String?) -> HTTPRequest {
        HTTPRequest(
            source: .home, method: "GET", target: "/", headers: header.map { [("accept-encoding", $0)] } ?? [])
    }

    @Test(arguments: [
        ("gzip", true), ("gzip, deflate, br", true), ("deflate, GZIP;q=0.5", true), ("br;q=1.0, *;q=0.1", true),
        ("x-gzip", true), (nil, false), ("", false), ("identity", false), ("deflate, br", false), ("gzip;q=0", false),
        ("*, gzip;q=0", false), ("gzip; q=0.0", false), ("*;q=0", false), (";", false),
    ])
    func whoAsksForItGetsIt(header: String?, isAccepted: Bool) {
        #expect(request(header).acceptsGzip == isAccepted)
    }

    /// gzip itself reads the body back, including bytes that do not shrink, and none at all.
    @Test(arguments: [0, 1, 1_000, 65_536, 65_537, 300_000]) func gzipReadsItBack(count: Int) throws {
        var random = SystemRandomNumberGenerator()
        for bytes in [
            (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }, (0..<count).map { _ in random.next() as UInt8 },
        ] {
            let body = try #require(GzipBody(bytes))
            var (steps, whole) = (0, nil as [UInt8]?)
            while whole == nil { (steps, whole) = (steps + 1, body.step()) }
            #expect(steps == max(1, (count + Limits.gzipStepBytes - 1) / Limits.gzipStepBytes))
            let folder = try TemporaryFolder("gzip")
            try FileTree.write(try #require(whole), to: folder.file("body.gz"))
            let child = try ChildProcess(ProcessHarness.Command("gzip", ["-d", folder.file("body.gz")]))
            #expect(try child.wait(within: .seconds(60)).isSuccess)
            #expect(FileTree.read(folder.file("body")) == bytes)
        }
    }

    @Test func onlyWhatShrinksIsCompressed() {
        let small = HTTPAnswer(type: "text/plain", bytes: [UInt8](repeating: 1, count: Limits.gzipLeastBytes - 1))
        let large = HTTPAnswer(type: "text/plain", bytes: [UInt8](repeating: 1, count: Limits.gzipLeastBytes))
        #expect(small.compressible == nil && large.compressible?.count == Limits.gzipLeastBytes)
        #expect(HTTPAnswer(status: 200, headers: [], body: .stream).compressible == nil)
        let tagged = HTTPAnswer(status: 200, headers: [("ETag", "\"a\"")], body: .bytes([1])).gzipped([2])
        #expect(tagged.headers.contains { $0 == ("ETag", "W/\"a\"") })
        #expect(tagged.headers.contains { $0 == ("Content-Encoding", "gzip") })
    }
}
