import JSONLines
import Node
import NodeCore
import ProcessHarness

/// A node as served by `run`.
final class RunningNode {
    private let child: ChildProcess
    private let token: String
    let listen: String
    let api: UInt16

    /// - Parameter peer: `HOST:PORT` of another node.
    init(_ home: String, discovery: String = "off", peer: String? = nil) throws {
        child = try Subject.start(
            ["--home", home, "run", "--listen", "127.0.0.1:0", "--api", "127.0.0.1:0", "--discovery", discovery]
                + (peer.map { ["--peer", $0] } ?? []))
        let line = try child.output?.first(within: .seconds(60)) { $0.contains("ready") } ?? ""
        let ready = JSONValue(json: Array(line.utf8))
        let made = try Subject.run(["--home", home, "token", "create", "--scope", "chat:read,chat:write", "--json"])
        guard let listen = ready?["listen"]?.text, let api = ready?["api"]?.text.flatMap({ HostPort($0) })?.port,
            let token = JSONValue(json: Array(made.utf8))?["token"]?.text
        else { throw BenchError("a node did not start") }
        (self.listen, self.api, self.token) = (listen, api, token)
    }

    /// The port of `listen`.
    var port: String { String(listen.split(separator: ":").last ?? "") }

    func head(_ method: String, _ target: String, body: Int? = nil) throws -> [UInt8] {
        let length = body.map { "Content-Type: application/json\r\nContent-Length: \($0)\r\n" } ?? ""
        return Array(
            "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(api)\r\nAuthorization: Bearer \(token)\r\n\(length)\r\n"
                .utf8)
    }

    var times: CPUTimes { CPUTimes(of: child.pid) }

    /// Resident memory, KiB.
    var residentKiB: Double { Double(Usage.status("VmRSS:", of: "\(child.pid)")) }

    /// A hundred requests a second, one after the other.
    func statusMilliseconds(for duration: Duration) throws -> [Double] {
        let probe = try TCPProbe(port: api)
        let request = try head("GET", "/v1/status")
        probe.send(request)
        _ = probe.receive(within: .milliseconds(300))
        let all = Stopwatch()
        var times: [Double] = []
        while all.elapsed < duration {
            let time = Stopwatch()
            probe.send(request)
            guard !probe.receive(upTo: 1, within: .seconds(5)).isEmpty else { throw BenchError("no answer") }
            times.append(time.milliseconds)
            _ = probe.receive(within: .milliseconds(10))
        }
        return times
    }

    /// Until one of the owner's devices is connected, or none is.
    func wait(toBeConnected: Bool) throws {
        let probe = try TCPProbe(port: api)
        let request = try head("GET", "/v1/status")
        let time = Stopwatch()
        while time.elapsed < .seconds(60) {
            probe.send(request)
            let answer = String(decoding: probe.receive(within: .milliseconds(20)), as: UTF8.self)
            if !answer.isEmpty, answer.contains("\"state\":\"connected\"") == toBeConnected { return }
        }
        throw BenchError("a device was not \(toBeConnected ? "connected" : "gone") within a minute")
    }

    func stop() { child.stop() }
}
