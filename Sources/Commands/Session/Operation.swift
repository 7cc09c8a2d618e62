import Node
import NodeCore
import NodeModel

/// The result of one slice of a command's work.
enum OperationProgress: Equatable {
    /// There is more to do at once.
    case again
    /// There is nothing to do until more input arrives.
    case needsInput
    /// There is nothing to do until something changes, or until this time.
    case waiting(until: MonotonicTime)
    case done
}

/// A command at work. It runs in slices of about a millisecond between the loop's other duties, so that neither an
/// import nor an export delays sync; a slice's changes are committed before its reply leaves.
protocol Operation: AnyObject {
    /// True if its reply must wait for the commit of its changes.
    var changesData: Bool { get }
    /// True if its wait is over: it is stepped at once, after the turn's commit.
    var isReady: Bool { get }
    /// True if it runs to its end even if its caller disconnects.
    var outlivesCaller: Bool { get }
    /// What was done so far, if an error that takes back the last slice leaves the slices before it; nil for nothing.
    var kept: (any Model)? { get }

    /// - Throws: any error ends the command, as `NodeError(cause:)` words it.
    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress
}

extension Operation {
    var isReady: Bool { false }
    var outlivesCaller: Bool { false }
    var kept: (any Model)? { nil }
}

/// An operation without input.
final class SteppedOperation: Operation {
    let changesData: Bool
    private let body: (inout CommandReply, MonotonicTime) throws -> OperationProgress

    init(changesData: Bool = false, _ body: @escaping (inout CommandReply, MonotonicTime) throws -> OperationProgress) {
        (self.changesData, self.body) = (changesData, body)
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        try body(&reply, now)
    }
}

/// An operation without input that takes one slice.
func atOnce(
    changesData: Bool = false, _ body: @escaping (inout CommandReply, MonotonicTime) throws -> Void
) -> any Operation {
    SteppedOperation(changesData: changesData) { reply, now in
        try body(&reply, now)
        return .done
    }
}

/// An operation that changes data by its input, one document over any number of lines.
final class DocumentOperation: Operation {
    let changesData = true
    private let name: String
    private let body: ([UInt8], MonotonicTime) throws -> any Model
    private var document: [UInt8] = []

    /// - Parameters:
    ///   - name: the document's name in errors, such as "the message".
    ///   - body: gives the answer to the whole document.
    init(_ name: String, _ body: @escaping ([UInt8], MonotonicTime) throws -> any Model) {
        self.name = name
        self.body = body
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        while let line = input.next() {
            guard case .line(let part) = line, document.count + part.count < Limits.inputLineBytes else {
                throw NodeError(.badInput, "\(name) is longer than 1 MiB")
            }
            document += part + [0x0A]
        }
        guard input.isEnded else { return .needsInput }
        reply.data(try body(document, now))
        return .done
    }
}

struct CommandTask {
    let operation: any Operation
    /// Nil for a command about the node, or about several accounts.
    var account: NodeAccount?
}
