import Gossip
import LeaderboardShare
import Node
import NodeCore
import SyncState

/// `account pair`, `group invite --nearby`, `group join --nearby`: pairs, and tells each change of where that stands.
/// Who asked for it and goes away ends it.
final class PairingOperation: ControlOperation {
    let changesData = false

    private let node: LocalNode
    private let goal: NodePairing.Goal
    private let request: ControlRequest
    private let time: Duration
    private var pairing: NodePairing?
    /// The revision that was told last.
    private var told: UInt64?
    private var peer: String?
    /// What comes after the invitation.
    private var join: JoinOperation?

    init(node: LocalNode, goal: NodePairing.Goal, request: ControlRequest) {
        self.node = node
        self.goal = goal
        self.request = request
        time = request.text("--timeout").flatMap(milliseconds).map { .milliseconds($0) } ?? Gossip.Limits.pairingTime
    }

    deinit { if let pairing { node.abandon(pairing) } }

    var isReady: Bool { pairing != nil && join == nil && node.network?.machine.pairing?.revision != told }

    package func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        if let join { return try join.step(input: &input, reply: &reply, now: now) }
        guard let pairing else {
            pairing = try node.begin(goal, time: time)
            return .again
        }
        guard node.pairing === pairing, let machine = node.network?.machine.pairing else {
            throw NodeError(.failed, "another pairing has begun")
        }
        guard machine.revision != told else { return .needsInput }
        told = machine.revision
        let fields = PairingReport.fields(machine, now: now)
        peer = fields["peer"]?.text ?? peer
        guard let end = machine.end else {
            reply.data(.object(fields))
            return .needsInput
        }
        if let failure = pairing.failure { throw failure }
        if let error = PairingReport.error(end) { throw error }
        if let token = pairing.token, case .takeGroup(let account) = goal {
            join = JoinOperation(node: node, account: account, token: token, request: request)
            return .again
        }
        reply.data(.object(result(pairing)))
        return .done
    }

    private func result(_ pairing: NodePairing) -> [String: JSONValue] {
        var fields: [String: JSONValue] = ["state": .string("done"), "peer": .optional(peer)]
        switch goal {
        case .giveAccount(let account): fields["accountId"] = .string(account.accountID.hex)
        case .giveGroup(let group, let role):
            fields["groupId"] = .string(group.zone.zone.hex)
            fields["title"] = .string(group.title)
            fields["role"] = .string(role.word)
        case .takeAccount, .takeGroup: break
        }
        if let account = pairing.account {
            fields["accountId"] = .string(account.accountID.hex)
            fields["deviceId"] = .string(account.zone.lane.hex)
            fields["label"] = .string(account.label)
        }
        return fields
    }
}
