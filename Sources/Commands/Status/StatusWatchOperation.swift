import Node
import NodeCore
import NodeModel

/// `status --watch`: the status every half second, until the caller goes.
final class StatusWatchOperation: Operation {
    let changesData = false
    private let node: LocalNode

    init(node: LocalNode) {
        self.node = node
    }

    package func step(
        input: inout InputLines, reply: inout CommandReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        do {
            reply.data(try NodeReporter(node).status(only: nil))
        } catch {
            throw NodeError(cause: error)
        }
        return .waiting(until: now + Limits.watchPause)
    }
}
