import Chat
import Ledger
import NodeCore
package import NodeModel
import SyncState

/// Problems with an account's ledger: bounds that will be reached soon, and work that is due.
extension AccountProblem {
    /// - Parameter devices: the account's, to name those that are gone.
    package static func ofLedger(
        _ account: NodeAccount, _ devices: [DeviceReport], of node: LocalNode
    ) -> [AccountProblem] {
        let (membership, program, wall) = (account.zone.membership, node.program, node.clock.wall())
        let waiting = (try? account.zone.removal.waiting(for: Limits.listsLate)) ?? []
        let (renewed, label) = (AccountRenewal(of: account, on: node).done, account.label)
        let groups = account.groups
        let account = node.label(of: account)
        // A device that was removed can do nothing about it.
        guard !membership.isOver else { return [] }
        var problems: [AccountProblem] = []
        if let renewed {
            problems.add(
                .renewed,
                what:
                    "this account was continued as \(renewed.label) at \(Wording.time(renewed.at)); your other "
                    + "devices are still in the old one, and so is a lost one",
                remedy: "add them to \(renewed.label), then remove this account",
                command: program.command("account pair", account: renewed.label) + ", then "
                    + program.command("account remove \(Program.quoted(label))"))
        }
        let gone = longestAway(devices)
        let removal =
            "remove those that are gone" + (gone.isEmpty ? "" : "; longest away: " + gone.joined(separator: ", "))
        let remove = program.command("device remove NAME", account: account)
        let lanes = membership.laneFill
        if lanes.isLow {
            problems.add(.manyDevices, what: lanes.sentence(of: "the account"), remedy: removal, command: remove)
        }
        for group in groups where group.isIn {
            let lanes = group.deviceFill
            guard lanes.isLow else { continue }
            problems.add(
                .manyDevicesInGroup,
                what: lanes.sentence(of: group.name) + (group.hasNoPlace ? "; this device finds no place there" : ""),
                remedy: removal, command: remove)
        }
        let removes = membership.state.removeFill
        if removes.isLow {
            problems.add(
                .manyRemovals,
                what:
                    "\(removes.used) of \(removes.most) removals are used: after the last one nobody can be "
                    + "shut out",
                remedy: "begin a new account with all that is here",
                command: program.command("account renew", account: account))
        }
        if membership.ownStanding == .unknown {
            problems.add(
                .noWay,
                what: "no other device takes what this one writes: nothing here shows how it came into the account",
                remedy: "type the phrase once", command: program.command("account enter", account: account))
        }
        if let lane = waiting.first {
            problems.add(
                .waitingRecords,
                what:
                    "records of a removed device count nowhere: the device that removed it was removed, too, or never "
                    + "handed over which of them stay",
                remedy: "remove it once more, here: what had come here stays (--since TIME if only what came before)",
                command: program.command("device remove \(lane.hex)", account: account))
        }
        if let way = membership.wayFill, way.isLow {
            problems.add(
                .longWay,
                what: "\(way.used) devices or fresh starts lie between this device and the recovery phrase, and "
                    + "after \(way.most) a device no longer belongs to the account",
                remedy: "type the phrase once", command: program.command("account enter", account: account))
        }
        if membership.recovery != nil {
            problems.add(
                .recoveryKey,
                what:
                    "a key that came with the recovery phrase is still on this device: it reads new keys of the "
                    + "account, but shuts no device out",
                remedy: "bring another device of the account into reach; once this one has its newest keys, that "
                    + "key is wiped")
        }
        if let due = membership.rotationDue, due.since.map({ wall - $0 > Limits.rotationLate }) ?? true {
            let since = due.since.map { " since \(Wording.time($0))" } ?? ""
            problems.add(
                .rotationDue,
                what: "new keys are due\(since): a removed device can read what is written until then",
                remedy: "replace the keys", command: program.command("account rotate", account: account))
        }
        return problems
    }

    /// The names of those that were not seen for longest.
    private static func longestAway(_ devices: [DeviceReport]) -> [String] {
        let away = devices.filter { !$0.isThis && !$0.isConnected }
            .sorted { ($0.seen?.milliseconds ?? 0, $0.lane) < ($1.seen?.milliseconds ?? 0, $1.lane) }
        return away.prefix(Limits.namedDevices).map(\.shownName)
    }
}

extension LedgerState.Fill {
    /// - Parameter whole: what the devices belong to.
    fileprivate func sentence(of whole: String) -> String {
        used > most
            ? "\(used) devices were let in, and only \(most) can belong to \(whole)"
            : "\(used) of the \(most) devices that can belong to \(whole) were let in"
    }
}

extension [AccountProblem] {
    fileprivate mutating func add(_ problem: LedgerProblem, what: String, remedy: String, command: String? = nil) {
        add(problem.rawValue, what: what, remedy: remedy, command: command)
    }
}
