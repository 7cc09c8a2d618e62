import JSONLines
import Node
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

    func stop() { child.stop() }
}
