import JSONLines

/// The lines that a command takes, such as those of an import.
struct InputLines {
    private var buffer = LineBuffer(limit: Limits.inputLineBytes)
    private var isWhole = false

    /// True once the last line was taken.
    package private(set) var isEnded = false

    /// Bytes that wait; above a limit the caller is not read on.
    package var count: Int { buffer.count }

    package mutating func append(_ bytes: some Collection<UInt8>) { buffer.append(bytes) }

    /// Nothing more comes; what stands behind the last newline is a line, too.
    mutating func end() { isWhole = true }

    package mutating func next() -> LineBuffer.Line? {
        guard !isEnded else { return nil }
        if let line = buffer.next() { return line }
        guard isWhole else { return nil }
        isEnded = true
        return buffer.rest()
    }
}
