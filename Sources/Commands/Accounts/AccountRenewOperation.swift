import Chat
import LeaderboardShare
import Ledger
import Node
import NodeCore
import NodeModel
import SyncState

/// `account renew`: a new account, with new words, that has all that this device holds of an old one. Repeating it
/// takes over what is new since, also after it was interrupted: the new account takes the old one's place only at the
/// end.
final class AccountRenewOperation: Operation {
    let changesData = true
    private let node: LocalNode
    private let old: NodeAccount
    private let renewal: AccountRenewal
    private var walk: MessageWalk
    private var states: ArraySlice<StateLine>?
    private var cursor: MessageCursor?

    init(_ node: LocalNode, _ old: NodeAccount) throws {
        (self.node, self.old) = (node, old)
        renewal = AccountRenewal(of: old, on: node)
        walk = try MessageWalk(old.zone)
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        let new = try renewal.begin()
        if !walk.isDone {
            let messages = try walk.next(Limits.exportSliceMessages)
            // As at an import, apps get counts in the change feed, not each message.
            try new.zone.changes.gather {
                for message in messages { _ = try new.zone.accept(message, isHistory: true, now: now) }
            }
            try new.zone.cut(force: false, now: now)
            return .again
        }
        if states == nil {
            try walk.checkWhole()
            guard try takeStubs(new) else { return .again }
            states = try StateLine.all(of: old.zone)[...]
        }
        if let part = states?.prefix(Limits.importSliceLines), !part.isEmpty {
            for state in part { _ = try state.adopt(in: new.zone, now: now) }
            states?.removeFirst(part.count)
            return .again
        }
        try new.zone.achievements.merge(old.zone.achievements.known)
        if let state = old.zone.accountState.state { try new.zone.accountState.declare(createdAt: state.createdAt) }
        try new.zone.cut(force: true, now: now)
        try new.zone.reads.publishReads()
        try node.commit()
        try renewal.finish(by: new)
        reply.data(try answer(new))
        return .done
    }

    /// Takes over messages of which only the id is known.
    ///
    /// - Returns: true once there are no more.
    private func takeStubs(_ new: NodeAccount) throws -> Bool {
        let stubs = try old.zone.chat.missedMessages(before: cursor, limit: Limits.exportSliceMessages)
        for stub in stubs { _ = try new.zone.hint(stub) }
        cursor = stubs.last?.cursor
        return stubs.isEmpty
    }

    private func answer(_ new: NodeAccount) throws -> RenewedAccount {
        let stats = try new.zone.chat.stats()
        let missing = try ZoneReporter(old, of: node).missing()?.all.sum.messages ?? 0
        let phrase = try node.phrase(of: new)?.joined(separator: " ")
        return RenewedAccount {
            ($0.accountId, $0.deviceId, $0.label) = (new.accountID.hex, new.zone.lane.hex, new.label)
            ($0.phrase, $0.oldAccountId, $0.oldLabel) = (phrase, old.accountID.hex, old.label)
            ($0.messages, $0.conversations) = (stats.messages, stats.conversations)
            $0.missing = missing + old.zone.chat.stubs.count
            $0.groups = old.groups.filter { $0.isServed && $0.membership.state != .removed }.map { group in
                RenewedAccount.Group {
                    ($0.groupId, $0.title) = (group.zone.zone.hex, group.title)
                    $0.isOwner = group.zone.state.owner == group.zone.member
                }
            }
        }
    }
}

extension AccountText {
    @Sendable static func renewed(_ account: RenewedAccount, _ output: Output) {
        let (label, old) = (Terminal.harmless(account.label), Terminal.harmless(account.oldLabel))
        let messages = Wording.count(account.messages, "message")
        let conversations = Wording.count(account.conversations, "conversation")
        output.line("account \(account.accountId) (\(label))")
        output.line("device  \(account.deviceId)")
        if let phrase = account.phrase {
            output.line(PhraseText.explanation(phrase.split(separator: " ").map(String.init), columns: output.columns))
        }
        output.line("\nIt has all that this device held: \(messages) in \(conversations).")
        if account.missing > 0 {
            output.line(
                "Not on this device: \(Wording.count(account.missing, "message")) of the old account. Bring a device "
                    + "that has them into reach, then run "
                    + output.program.command("account renew", account: account.oldLabel)
                    + " again: it takes over what has come since.")
        }
        output.line(
            "The old account is now called \(old), and stays as it is until you remove it. Your other devices are "
                + "still in it, and so is one that was lost: add yours to \(label) with `kachat-node account "
                + "pair`, then run `kachat-node account remove \(Program.quoted(account.oldLabel))` on each.")
        let token = output.program.command("token create")
        output.line("Apps with a token of the old account need one of \(label): \(token).")
        guard !account.groups.isEmpty else { return }
        output.line("\nTo its groups, \(label) is somebody new. Have it invited to each:")
        for group in account.groups {
            let invite = output.program.command(
                "group invite \(Program.quoted(group.title))", account: account.oldLabel)
            output.line(
                "  \(Terminal.harmless(group.title))"
                    + (group.isOwner
                        ? ": yours, and \(old) stays its owner. \(invite) invites it; to own a group in its place, it "
                            + "founds the successor: \(output.program.command("group successor"))"
                        : ": ask its owner or an admin"))
        }
    }
}
