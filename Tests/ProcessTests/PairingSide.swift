import NodeDriver
import ProcessHarness

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A pairing command in the background, as a script sees it.
final class PairingSide {
    struct Line: Decodable {
        struct Peer: Decodable {
            var name: String
            var tag: String
        }
        var state: String
        var digits: String?
        var peer: String?
        var tag: String?
        var peers: [Peer]?
        var triesLeft: Int?
        var lastTry: String?
        var accountId: String?
        var title: String?
    }

    /// Options for homes without a running node: this machine only.
    static let onLoopback = ["--discovery", "lo", "--listen", "127.0.0.1:0"]

    let node: DrivenNode
    let process: ChildProcess
    private(set) var lines: [Line] = []

    init(_ node: DrivenNode, _ arguments: [String]) throws {
        self.node = node
        var command = node.binary.command(home: node.home, arguments + ["--json"])
        command.environment["SWIFT_BACKTRACE"] = "enable=no"
        command.errorOutput = .file(node.logPath)
        process = try ChildProcess(command)
    }

    /// The next line in that state; earlier lines are kept in `lines`.
    @discardableResult
    func wait(_ state: String, within duration: Duration = Deadline.patience) throws -> Line {
        let deadline = Deadline(after: duration)
        while let text = try process.output?.next(until: deadline) {
            let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
            lines.append(line)
            if line.state == state { return line }
        }
        throw DriverError("\(node.name) never was \(state): \(lines.map(\.state)) \(node.log.suffix(500))")
    }

    func digits() throws -> String { try wait("comparing").digits ?? "" }

    @discardableResult
    func say(_ words: String...) throws -> ProcessHarness.ExitStatus {
        try node.attempt(["pairing"] + words + ["--json"]).status
    }

    func end() throws -> ProcessHarness.ExitStatus { try process.wait() }
}
