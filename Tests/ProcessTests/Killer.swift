import NodeDriver
import ProcessHarness
import SampleData
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Runs users' commands, and sends SIGKILL at a random moment of each.
final class Killer {
    private(set) var kills = 0
    /// The number of kills after which a command had to be repeated.
    private(set) var cutOff = 0
    var random: SampleRandom
    /// The undisturbed duration of each kind of command, once it is known.
    private var spans: [String: Duration] = [:]

    init(seed: UInt64) { random = SampleRandom(seed: seed) }

    /// Runs a command undisturbed to learn how long it takes.
    func learn(_ kind: String, on node: DrivenNode, _ arguments: [String]) throws {
        spans[kind] = try ContinuousClock().measure { try node.run(arguments) }
    }

    /// Kills the node, if it runs and so serves the command, or else the command. If the command does not report
    /// success, it is repeated, on a restarted node or without one.
    ///
    /// - Parameters:
    ///   - kind: commands of one kind take about as long.
    ///   - isDone: asked if the repeated command fails too: whether the first attempt was complete.
    /// - Returns: the output of the command, or of its repetition.
    @discardableResult
    func run(
        _ kind: String, on node: DrivenNode, _ arguments: [String], restarts: Bool = true,
        isDone: () throws -> Bool = { false }
    ) throws -> String {
        let clock = ContinuousClock()
        let command = try ChildProcess(node.binary.command(home: node.home, arguments))
        let start = clock.now
        let moment = start + (spans[kind] ?? .milliseconds(100)) * Double.random(in: 0...1.1, using: &random)
        while clock.now < moment && command.isRunning { usleep(200) }
        kills += 1
        let end = clock.now
        if node.process != nil { try node.kill() } else { command.killNow() }
        if try command.wait().isSuccess {
            spans[kind] = spans[kind] ?? (end - start)
            return try command.output?.available().joined(separator: "\n") ?? ""
        }
        cutOff += 1
        if restarts, Bool.random(using: &random) { try node.start() }
        let again = try node.attempt(arguments)
        if !again.status.isSuccess {
            let isDone = try isDone()
            #expect(isDone, "\(kind), killed after \(end - start): \(again.errorOutput)")
        }
        return again.output
    }
}
