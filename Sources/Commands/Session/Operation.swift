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
