import Gossip
import Node
import NodeCore
import NodeModel
import SyncState

/// `background`: hands over new data, ends all sessions, and releases sockets and files, within a second.
final class BackgroundOperation: Operation {
    private enum Step {
        /// Next: `handingOver`.
        case writing
        /// Next: `closing`.
        case handingOver(until: MonotonicTime)
        /// Next: `closing` once more if the time is over, or the end.
        case closing(until: MonotonicTime, isLate: Bool)
    }

    // A failing store must not keep the node in the foreground; `status` shows its error.
    let changesData = false
    // The calling app may be suspended at any moment.
    let outlivesCaller = true
    private let network: NodeNetwork
    private var step = Step.writing
    private var segments = 0
    private var peers = 0
    private var hasHandedOver = true

    init(network: NodeNetwork) { self.network = network }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        switch step {
        case .writing:
            segments = network.writeOut(network.node.accounts, now)
            step = .handingOver(until: now + Node.Limits.handoverTime)
            // The written data is durable, and on its way, after this turn.
            return .again
        case .handingOver(let until):
            let accounts = network.node.accounts
            hasHandedOver = network.hasHandedOver
            guard hasHandedOver || now >= until else {
                return .waiting(until: min(until, now + Node.Limits.handoverLook))
            }
            peers = accounts.reduce(0) { $0 + network.sessionCount($1) }
            network.enterBackground(now: now)
            step = .closing(until: now + Limits.farewellTime, isLate: false)
            return .again
        case .closing(let until, let isLate):
            guard network.isInBackground else { throw NodeError(.failed, "the node was called back to the foreground") }
            if !network.isAtRest {
                network.cutWindows()
                guard now >= until else { return .waiting(until: min(until, now + Node.Limits.handoverLook)) }
                if !isLate {
                    network.connections.endAll(now: now)
                    step = .closing(until: now + Limits.lettingGoTime, isLate: true)
                    return .again
                }
            }
            reply.data(
                BackgroundResult {
                    ($0.segments, $0.peers) = (segments, peers)
                    ($0.handedOver, $0.released) = (hasHandedOver, network.hasLetGo)
                })
            return .done
        }
    }
}
