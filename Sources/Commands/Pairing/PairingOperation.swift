import Gossip
import LeaderboardShare
import Node
import NodeCore
import NodeModel
import SyncState

/// `account pair`, `group invite --nearby`, `group join --nearby`: pairs, and sends a line at each change. It ends if
/// its caller disconnects.
final class PairingOperation: Operation {
    let changesData = false

    static let timeout = Parameter.seconds(
        "--timeout", upTo: Int(Gossip.Limits.pairingTime.components.seconds),
        "how long other devices can see this one (default and maximum: 2m)")

    private let call: Call
    private let goal: NodePairing.Goal
    private let time: Duration
    private var pairing: NodePairing?
    /// The revision of the last line.
    private var told: UInt64?
    private var peer: String?
    /// Joins the group once its invitation is here.
    private var join: JoinOperation?

    init(_ call: Call, goal: NodePairing.Goal) {
        self.call = call
        self.goal = goal
        time = call[Self.timeout] ?? Gossip.Limits.pairingTime
    }

    private var node: LocalNode { call.node }

    deinit { if let pairing { node.abandon(pairing) } }

    var isReady: Bool { pairing != nil && join == nil && node.network?.machine.pairing?.revision != told }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        if let join { return try join.step(input: &input, reply: &reply, now: now) }
        guard let pairing else {
            pairing = try node.begin(goal, time: time)
            if node.network?.discovery.hasNoInterface == true {
                reply.note("this device has no usable network interface: connect it to the network of the other one")
            }
            return .again
        }
        guard node.pairing === pairing, let machine = node.network?.machine.pairing else {
            throw NodeError(.failed, "another pairing has begun")
        }
        guard machine.revision != told else { return .needsInput }
        told = machine.revision
        let status = PairingStatus(machine, now: now)
        peer = status.peer ?? peer
        guard let end = machine.end else {
            reply.data(status)
            return .needsInput
        }
        if let failure = pairing.failure { throw failure }
        if let error = end.error { throw error }
        if let token = pairing.token, case .takeGroup(let account) = goal {
            join = JoinOperation(call, account, token)
            return .again
        }
        reply.data(result(pairing))
        return .done
    }

    private func result(_ pairing: NodePairing) -> PairingStatus {
        var result = PairingStatus { ($0.state, $0.peer) = ("done", peer) }
        switch goal {
        case .giveAccount(let account): result.accountId = account.accountID.hex
        case .giveGroup(let group, let role):
            result.groupId = group.zone.zone.hex
            result.title = group.title
            result.role = NodeModel.Role(rawValue: role.word)
        case .takeAccount, .takeGroup: break
        }
        if let account = pairing.account {
            result.accountId = account.accountID.hex
            result.deviceId = account.zone.lane.hex
            result.label = account.label
        }
        return result
    }
}
