import Gossip
import LeaderboardShare
import Node
import NodeCore
import NodeModel
import SyncState

/// `group join`: knocks, and tells what came of it within some seconds; what did not come yet goes on by itself.
final class JoinOperation: Operation {
    let changesData = true

    static let name = Parameter.text("--name", .text("N"), "what you want to be called there")
    static let wait = Parameter.seconds("--wait", upTo: 3600, "how long to wait for a member (default: 5)")
    static let requestedWait = wait.requested(
        .value(.seconds(upTo: Limits.apiWaitSeconds)), help: "seconds to wait for a member")

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

    package func step(
        input: inout InputLines, reply: inout CommandReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        do {
            guard let deadline else {
                _ = try node.groups.join(token, name: name, account: account)
                // Where no node runs nothing comes of waiting.
                self.deadline = node.network == nil ? now : now + patience
                return .again
            }
            if let reason = account.refusedJoins.removeValue(forKey: token.group) {
                throw NodeError(.failed, "\(reason)")
            }
            if let group = account.groups.first(where: { $0.zone.zone == token.group }), isThere(group, now) {
                reply.data(try joined(group))
                return .done
            }
            guard now >= deadline else { return .waiting(until: min(deadline, now + Limits.joinLook)) }
            reply.data(pending)
            return .done
        } catch {
            throw NodeError(cause: error)
        }
    }

    /// The member is in the group's own records, and what the devices in reach have is here.
    private func isThere(_ group: NodeGroup, _ now: MonotonicTime) -> Bool {
        guard group.zone.state.members[group.zone.member] != nil, let served = node.network?.served(group) else {
            return false
        }
        return served.sync.isCaughtUp
    }

    private func joined(_ group: NodeGroup) throws -> JoinedGroup {
        var joined = JoinedGroup()
        joined.groupId = token.group.hex
        joined.title = group.title
        joined.state = "joined"
        joined.memberId = group.zone.member.hex
        joined.members = group.zone.memberList().count
        joined.days = try group.zone.standings.daysPlayed
        return joined
    }

    private var pending: JoinedGroup {
        let join = account.joins.first { $0.group == token.group }
        let isIn = account.groups.contains { $0.zone.zone == token.group }
        let waitsFor = join?.waitsFor ?? "the group's records are still coming"
        var pending = JoinedGroup()
        pending.groupId = token.group.hex
        pending.title = token.title
        pending.state = isIn ? "joining" : "pending"
        pending.waitsFor = waitsFor
        pending.sentence = "pending: " + waitsFor
        return pending
    }
}
