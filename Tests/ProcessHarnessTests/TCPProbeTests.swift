import ProcessHarness
import Testing

@Suite("TCP probe", .timeLimit(.minutes(30)))
struct TCPProbeTests {
    /// Echoes one connection on a free port, which it prints first.
    static let echo = """
        import socket
        s = socket.create_server(("127.0.0.1", 0))
        print(s.getsockname()[1], flush=True)
        c, _ = s.accept()
        while data := c.recv(100000): c.sendall(data)
        """

    static let hasPython = (try? Command("python3", ["-c", "pass"]).run().status.isSuccess) == true

    @Test("sends, receives, and sees the end", .enabled(if: hasPython, "needs python3"))
    func echoes() throws {
        let server = try ChildProcess(Command("python3", ["-c", Self.echo]))
        let port = try #require(try server.output?.next().flatMap { UInt16($0) })
        let probe = try TCPProbe(port: port)
        #expect(probe.send(Array("hello".utf8)))
        #expect(probe.receive(upTo: 5) == Array("hello".utf8))
        #expect(probe.receive(upTo: 1, within: .milliseconds(50)).isEmpty)
        #expect(!probe.isClosed(within: .milliseconds(50)))
        probe.endSending()
        #expect(probe.isClosed())
    }

    @Test("a port where nobody listens is an error")
    func refused() {
        #expect(throws: HarnessError.system(call: "connect 127.0.0.1:1", reason: "Connection refused")) {
            try TCPProbe(port: 1)
        }
    }
}
