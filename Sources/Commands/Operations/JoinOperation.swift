import Gossip
import LeaderboardShare
import Node
import NodeCore
import SyncState

/// `group join`: knocks, and tells what came of it within some seconds; what did not come yet goes on by itself.
final class JoinOperation: ControlOperation {
    let changesData = true

    private let node: LocalNode
    private let account: NodeAccount
    private let token: GroupToken
    private let name: String?
    private let patience: Duration
    private var deadline: MonotonicTime?

    init(node: LocalNode, account: NodeAccount, token: GroupToken, request: ControlRequest) {
        self.node = node
        self.account = account
        self.token = token
        name = request.text("--name")
        patience = .milliseconds(request.text("--wait").flatMap(milliseconds) ?? Limits.joinPatienceMilliseconds)
    }

    convenience init(node: LocalNode, account: NodeAccount, request: ControlRequest) throws(NodeError) {
        guard let words = request.arguments["TOKEN"] else {
            throw NodeError(.usage, "group join needs an invitation, or --nearby with a member in the same room")
        }
        do {
            let token = try GroupToken(text: words.joined(separator: " "))
            self.init(node: node, account: account, token: token, request: request)
        } catch {
            throw NodeError(cause: error)
        }
    }

    package func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
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
                reply.data(.object(try fields(group)))
                return .done
            }
            guard now >= deadline else { return .waiting(until: min(deadline, now + Limits.joinLook)) }
            reply.data(.object(pendingFields))
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

    private func fields(_ group: NodeGroup) throws -> [String: JSONValue] {
        [
            "groupId": .string(token.group.hex), "title": .string(group.title), "state": .string("joined"),
            "memberId": .string(group.zone.member.hex), "members": .number(group.zone.memberList().count),
            "days": .number(try group.zone.standings.daysPlayed),
        ]
    }

    private var pendingFields: [String: JSONValue] {
        let join = account.joins.first { $0.group == token.group }
        let group = account.groups.first { $0.zone.zone == token.group }
        let waitsFor = join?.waitsFor ?? "the group's records are still coming"
        return [
            "groupId": .string(token.group.hex), "title": .string(token.title),
            "state": .string(group == nil ? "pending" : "joining"),
            "waitsFor": .string(waitsFor), "sentence": .string("pending: " + waitsFor),
        ]
    }
}
