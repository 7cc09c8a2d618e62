package import Node

/// The lines of an input that are no good: told one by one while they are few, then only counted.
package struct LineRefusals {
    private(set) var count = 0
    /// Lines of the parts before.
    private let before: Int

    init(_ call: Call) { before = (call[Call.firstLine] ?? 1) - 1 }

    /// - Parameter line: from 1, within this part.
    mutating func add(_ line: Int, _ reason: String, to reply: inout CommandReply) {
        count += 1
        if count <= Limits.importComplaints {
            reply.note("line \(before + line): \(reason)")
        } else if count == Limits.importComplaints + 1 {
            reply.note(Self.further)
        }
    }

    /// Behind the data: where there were any, the command has failed.
    package func end(_ reply: inout CommandReply, lines: Int) {
        guard count > 0 else { return }
        reply.end(Self.error(count, of: lines))
    }

    package static let further = "further bad lines are only counted"

    package static func error(_ count: Int, of lines: Int) -> NodeError {
        NodeError(.badInput, "\(count) of \(lines) lines were refused")
    }
}
