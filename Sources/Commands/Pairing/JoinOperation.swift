import Gossip
import LeaderboardShare
import Ledger
import Node
import NodeCore
import NodeModel
import SyncState

/// `group join`: asks to be admitted, and reports the result after some seconds; a pending join continues by itself.
final class JoinOperation: Operation {
    let changesData = true

    static let name = Parameter.text("--name", .form("N", .title), "your name in the group")
    static let wait = Parameter.seconds("--wait", upTo: 3600, "how long to wait for a member (default: 5s)")
        .requested(.value(.seconds(upTo: Limits.apiWaitSeconds)))

    private let node: LocalNode
    private let account: NodeAccount
    private let token: GroupToken
    private let name: String?
    private let patience: Duration
    private var deadline: MonotonicTime?

    init(_ call: Call, _ account: NodeAccount, _ token: GroupToken) {
        node = call.node
        self.account = account
        self.token = token
        name = call[Self.name]
        patience = call[Self.wait] ?? .milliseconds(Limits.joinPatienceMilliseconds)
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        guard let deadline else {
            _ = try node.groups.join(token, name: name, account: account)
            // Without a running node, waiting is useless.
            self.deadline = node.network == nil ? now : now + patience
            return .again
        }
        if let join, join.isOver {
            try node.groups.forgetJoin(of: join.group, account)
            throw NodeError(.failed, join.waitsFor)
        }
        // Until the join is over, what is here is the copy of a member that was removed.
        if join == nil, let group = account.groups.first(where: { $0.zone.zone == token.group }), isThere(group) {
            reply.data(try joined(group))
            return .done
        }
        guard now >= deadline else { return .waiting(until: min(deadline, now + Limits.joinLook)) }
        reply.data(pending)
        return .done
    }

    /// True if the group's records list the member, and everything from devices in reach is here.
    private func isThere(_ group: NodeGroup) -> Bool {
        guard group.zone.membership.ownStanding == .active, let served = node.network?.served(group) else {
            return false
        }
        return served.sync.isCaughtUp
    }

    private func joined(_ group: NodeGroup) throws -> JoinedGroup {
        try JoinedGroup {
            ($0.groupId, $0.title, $0.state) = (token.group.hex, group.title, "joined")
            let members = group.zone.roster.members()
            ($0.memberId, $0.members) = (group.zone.member.hex, members.count)
            $0.name = name ?? members.first(where: \.isMe)?.name
            $0.days = try group.zone.standings.daysPlayed
        }
    }

    /// Nil once it is over.
    private var join: NodeJoin? { account.joins.first { $0.group == token.group } }

    private var pending: JoinedGroup {
        let join = join
        let waitsFor = join?.waitsFor ?? "the group's records are still coming"
        return JoinedGroup {
            ($0.groupId, $0.title, $0.state) = (token.group.hex, token.title, join == nil ? "joining" : "pending")
            ($0.waitsFor, $0.sentence) = (waitsFor, "pending: " + waitsFor)
        }
    }
}
