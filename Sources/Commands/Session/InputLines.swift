import JSONLines
import Node

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

/// An input that is one document over any number of lines.
struct WholeInput {
    private var bytes: [UInt8] = []

    /// The whole document; nil until it is complete.
    ///
    /// - Parameter what: its name in errors, such as "the message".
    package mutating func take(_ input: inout InputLines, _ what: String) throws(NodeError) -> [UInt8]? {
        while let line = input.next() {
            guard case .line(let part) = line,
                bytes.count + part.count < Limits.inputLineBytes
            else { throw NodeError(.badInput, "\(what) is longer than 1 MiB") }
            bytes += part + [0x0A]
        }
        return input.isEnded ? bytes : nil
    }
}
