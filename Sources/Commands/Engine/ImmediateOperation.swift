import Node
import NodeCore

/// A command that is done in one slice.
final class ImmediateOperation: Operation {
    let changesData: Bool
    private let body: (inout CommandReply, MonotonicTime) throws -> Void

    init(changesData: Bool = false, _ body: @escaping (inout CommandReply, MonotonicTime) throws -> Void) {
        self.changesData = changesData
        self.body = body
    }

    package func step(
        input: inout InputLines, reply: inout CommandReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        do {
            try body(&reply, now)
            return .done
        } catch {
            throw NodeError(cause: error)
        }
    }
}
