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

    init(_ home: String, _ arguments: [String]) throws {
        var command = Command(
            Subject.program, ["--home", home, "run", "--listen", "127.0.0.1:0", "--api", "127.0.0.1:0"] + arguments)
        command.errorOutput = .discarded
        child = try ChildProcess(command)
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
    var residentKiB: Double {
        let status = FileTree.read("/proc/\(child.pid)/status").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split { !$0.isNumber }.first.flatMap { Double($0) } ?? 0
    }

    /// A hundred requests a second, one after the other.
    func statusMilliseconds(for duration: Duration) throws -> [Double] {
        let probe = try TCPProbe(port: api)
        let request = try head("GET", "/v1/status")
        probe.send(request)
        _ = probe.receive(within: .milliseconds(300))
        let clock = SystemClock()
        let end = clock.now() + duration
        var times: [Double] = []
        while clock.now() < end {
            let before = clock.now()
            probe.send(request)
            guard !probe.receive(upTo: 1, within: .seconds(5)).isEmpty else { throw BenchError("no answer") }
            times.append(Double((clock.now() - before).heldNanoseconds) / 1e6)
            _ = probe.receive(within: .milliseconds(10))
        }
        return times
    }

    /// Until one of the owner's devices is connected, or none is.
    func wait(toBeConnected: Bool) throws {
        let probe = try TCPProbe(port: api)
        let request = try head("GET", "/v1/status")
        let clock = SystemClock()
        let start = clock.now()
        while clock.now() - start < .seconds(60) {
            probe.send(request)
            let answer = String(decoding: probe.receive(within: .milliseconds(20)), as: UTF8.self)
            if !answer.isEmpty, answer.contains("\"state\":\"connected\"") == toBeConnected { return }
        }
        throw BenchError("a device was not \(toBeConnected ? "connected" : "gone") within a minute")
    }

    func stop() { child.stop() }
}
