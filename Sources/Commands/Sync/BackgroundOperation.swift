import Gossip
import Node
import NodeCore
import NodeModel
import SyncState

/// `background`: hands over what is new here, ends all sessions, and lets go of sockets and files; within a second.
final class BackgroundOperation: Operation {
    private enum Step {
        /// Next: `handingOver`.
        case writing
        /// Next: `closing`.
        case handingOver(until: MonotonicTime)
        /// Next: `closing` once more where the time is over, or the end.
        case closing(until: MonotonicTime, isLate: Bool)
    }

    // A store that fails keeps nobody in the foreground; its error is for `status` to tell.
    let changesData = false
    // An app that asks for it may be suspended the next moment.
    let outlivesCaller = true
    private let network: NodeNetwork
    private var step = Step.writing
    private var segments = 0
    private var peers = 0
    private var hasHandedOver = true

    init(network: NodeNetwork) {
        self.network = network
    }

    package func step(
        input: inout InputLines, reply: inout CommandReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        switch step {
        case .writing:
            segments = network.writeOut(now)
            step = .handingOver(until: now + Node.Limits.handoverTime)
            // What was written is durable, and on its way, after this turn.
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
            guard network.isInBackground else {
                throw NodeError(.failed, "the node was called back by `foreground`")
            }
            if !network.isAtRest {
                network.cutWindows()
                guard now >= until else { return .waiting(until: min(until, now + Node.Limits.handoverLook)) }
                if !isLate {
                    network.connections.endAll(now: now)
                    step = .closing(until: now + Limits.lettingGoTime, isLate: true)
                    return .again
                }
            }
            var result = BackgroundResult()
            result.segments = segments
            result.peers = peers
            result.handedOver = hasHandedOver
            result.released = network.hasLetGo
            reply.data(result)
            return .done
        }
    }
}
