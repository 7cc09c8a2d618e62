import Node
import NodeCore

/// What one slice of a command's work ended with.
enum OperationProgress: Equatable {
    /// More to do at once.
    case again
    /// Nothing to do until more input is there.
    case needsInput
    /// Nothing to do until something changes, or that time comes.
    case waiting(until: MonotonicTime)
    /// The last word is said.
    case done
}

/// A command in work. It runs in slices of about a millisecond between the loop's other duties, so that neither an
/// import nor an export holds sync up; what a slice has changed is committed before what it said leaves.
protocol Operation: AnyObject {
    /// Whether its reply depends on the commit of what it has changed.
    var changesData: Bool { get }
    /// Whether what it waits for is here: then it is stepped at once, after the turn's commit.
    var isReady: Bool { get }
    /// Whether it goes on to its end where its caller goes away meanwhile.
    var outlivesCaller: Bool { get }

    func step(
        input: inout InputLines, reply: inout CommandReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress
}

extension Operation {
    var isReady: Bool { false }
    var outlivesCaller: Bool { false }
}

/// A command in work, and the account that it is about.
struct CommandTask {
    package let operation: any Operation
    /// Nil: about the node, or about several accounts.
    package var account: NodeAccount?
}

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
