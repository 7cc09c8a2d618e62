import Commands
import Node
import NodeCore
import NodeModel

/// `run` on a terminal: says what is running and what to do next, then each change in a sentence.
final class RunScreen {
    private let node: LocalNode
    private let network: NodeNetwork
    private let output: Output
    private let program: String
    private let clock: any Clock
    private var told: [AccountID: Seen] = [:]

    /// The last text shown for an account.
    private struct Seen: Equatable {
        var verdict: Verdict?
        /// The other devices in reach.
        var names: [String] = []
    }

    init(_ node: LocalNode, _ network: NodeNetwork, _ context: ToolContext) {
        (self.node, self.network, output, program) = (node, network, context.output, context.program)
        clock = context.clock
    }

    func greet() {
        let labels = node.accounts.map { Terminal.harmless($0.label) }
        let accounts =
            switch labels.count {
            case 0: "without an account"
            case 1: "with account \(labels[0])"
            default: "with accounts \(labels.joined(separator: ", "))"
            }
        output.line("\(Terminal.harmless(node.identity.deviceName)) is running, \(accounts).")
        for account in node.unopened {
            output.line(output.painted(Terminal.harmless("\(account.label): \(account.error.message)"), .bad))
        }
        output.facts([
            ("dashboard", network.apiAddress.map { _ in "`\(program) dashboard` opens it in a browser" }),
            ("status", "`\(program) status` says more than this page"),
            ("API", network.apiAddress), ("address", network.listeners.address?.description),
        ])
        for account in node.accounts {
            let facts = try? ZoneReporter(account, of: node).facts()
            // No device is looked for; the reason is given next.
            if facts?.verdict == .error { continue }
            let others = Self.others(facts?.devices ?? [])
            let label = labels.count > 1 ? "\(Terminal.harmless(account.label)): " : ""
            output.line(
                label
                    + (others.isEmpty
                        ? "No other device of the account is known yet; `\(program) account pair` adds one."
                        : "Looking for \(others.joined(separator: ", "))."))
        }
        output.line("Ctrl-C stops the node.")
        for account in node.accounts { told[account.accountID] = Seen() }
    }

    /// Says what has changed since the last look.
    func look() {
        for account in node.accounts {
            let before = told[account.accountID] ?? Seen()
            guard let facts = try? ZoneReporter(account, of: node).facts() else { continue }
            let names = Self.others(facts.devices.filter(\.isConnected))
            let now = Seen(verdict: facts.verdict, names: names)
            guard now != before else { continue }
            told[account.accountID] = now
            for name in names where !before.names.contains(name) { say("\(name) is connected.", account, .good) }
            for name in before.names where !names.contains(name) { say("\(name) is gone.", account) }
            // The start has already said who is looked for.
            guard facts.verdict != before.verdict, before.verdict != nil || facts.verdict != .offline else { continue }
            let tones: [Verdict: Tone] = [.upToDate: .good, .error: .bad, .full: .bad, .incomplete: .warning]
            say(Wording.capitalised(facts.headline) + ".", account, tones[facts.verdict] ?? .plain)
        }
    }

    private func say(_ text: String, _ account: NodeAccount, _ tone: Tone = .plain) {
        let time = CivilTime(milliseconds: clock.wall().milliseconds).text.suffix(5)
        let label = node.accounts.count > 1 ? "\(account.label): " : ""
        output.line("\(time)  " + output.painted(Terminal.harmless(label + text), tone))
    }

    private static func others(_ devices: [DeviceReport]) -> [String] {
        devices.filter { !$0.isThis }.map { Terminal.harmless($0.shownName) }
    }
}
