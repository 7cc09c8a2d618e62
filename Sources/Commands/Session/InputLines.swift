import JSONLines

/// The lines of a command's input, such as an import.
struct InputLines {
    private var buffer = LineBuffer(limit: Limits.inputLineBytes)
    private var isWhole = false

    /// True once the last line was taken.
    package private(set) var isEnded = false

    /// Waiting bytes; above a limit, reading from the caller stops.
    package var count: Int { buffer.count }

    package mutating func append(_ bytes: some Collection<UInt8>) { buffer.append(bytes) }

    /// Ends the input. A rest after the last newline is a line, too.
    mutating func end() { isWhole = true }

    package mutating func next() -> LineBuffer.Line? {
        guard !isEnded else { return nil }
        if let line = buffer.next() { return line }
        guard isWhole else { return nil }
        isEnded = true
        return buffer.rest()
    }
}
