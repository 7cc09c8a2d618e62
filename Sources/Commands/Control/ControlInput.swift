import JSONLines

/// The lines that follow a request: those of an import, up to a line with a single dot.
struct ControlInput {
    private var buffer = LineBuffer(limit: Limits.controlLineBytes)

    /// True once the last line was taken, whether the dot came or the connection ended.
    package private(set) var isEnded = false

    /// Bytes that wait; above a limit the connection is not read on.
    package var count: Int { buffer.count }

    package mutating func append(_ bytes: some Collection<UInt8>) { buffer.append(bytes) }

    package mutating func next() -> LineBuffer.Line? {
        guard !isEnded, let line = buffer.next() else { return nil }
        if line == .line(Array(ControlInput.endMark.utf8)) {
            isEnded = true
            return nil
        }
        return line
    }

    /// Ends the input. No JSON is a single dot, and a bad line that is one gets a blank by the sender.
    static let endMark = "."
}
