import Node
import NodeCore

/// A command that is done in one slice.
final class ImmediateOperation: ControlOperation {
    let changesData: Bool
    private let body: (inout ControlReply, MonotonicTime) throws -> Void

    init(changesData: Bool = false, _ body: @escaping (inout ControlReply, MonotonicTime) throws -> Void) {
        self.changesData = changesData
        self.body = body
    }

    package func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        do {
            try body(&reply, now)
            return .done
        } catch {
            throw NodeError(cause: error)
        }
    }
}
