import Node

/// The lines of an input that are no good: told one by one while they are few, then only counted.
struct LineRefusals {
    package private(set) var count = 0

    package mutating func add(_ line: Int, _ reason: String, to reply: inout ControlReply) {
        count += 1
        if count <= Limits.importComplaints {
            reply.note("line \(line): \(reason)")
        } else if count == Limits.importComplaints + 1 {
            reply.note("further bad lines are only counted")
        }
    }

    /// Behind the data: where there were any, the command has failed.
    package func end(_ reply: inout ControlReply, lines: Int) {
        guard count > 0 else { return }
        reply.end(NodeError(.badInput, "\(count) of \(lines) lines were refused"))
    }
}
