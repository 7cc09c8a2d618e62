#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Reads a stream line by line, with a time limit. Owns the descriptor.
package final class LineReader {
    let descriptor: Int32
    private let name: String
    private var buffer: [UInt8] = []
    /// This much of the buffer is known to contain no newline.
    private var searched = 0
    /// The stream has ended; only the buffer is left.
    package private(set) var hasEnded = false

    init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    deinit {
        close(descriptor)
    }

    /// The next line without its newline; nil at the end of the stream. A last line without newline counts.
    /// - Throws: `HarnessError.timedOut` if no whole line came in time; a partial line is kept for the next call.
    package func next(until deadline: Deadline) throws(HarnessError) -> String? {
        while true {
            if let line = takeLine() { return line }
            if hasEnded { return nil }
            guard try System.waitReady(descriptor, events: POLLIN, until: deadline) else {
                throw HarnessError.timedOut(waitingFor: "a line of `\(name)`")
            }
            let some = try System.readSome(descriptor)
            if some.isEmpty { hasEnded = true }
            buffer += some
        }
    }

    package func next(within duration: Duration = Deadline.patience) throws(HarnessError) -> String? {
        try next(until: Deadline(after: duration))
    }

    /// The first line from here that satisfies the condition; earlier ones are dropped.
    /// - Throws: `timedOut`, or `endOfStream` if the stream ends without it.
    package func first(
        within duration: Duration = Deadline.patience, where condition: (String) -> Bool
    ) throws(HarnessError) -> String {
        let deadline = Deadline(after: duration)
        while let line = try next(until: deadline) {
            if condition(line) { return line }
        }
        throw HarnessError.endOfStream(of: name)
    }

    /// The lines available without waiting.
    package func available() throws(HarnessError) -> [String] {
        var lines: [String] = []
        while !hasEnded, try System.waitReady(descriptor, events: POLLIN, until: Deadline(after: .zero)) {
            let some = try System.readSome(descriptor)
            if some.isEmpty { hasEnded = true }
            buffer += some
        }
        while let line = takeLine() { lines.append(line) }
        return lines
    }

    private func takeLine() -> String? {
        guard let newline = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = buffer.count
            guard hasEnded, !buffer.isEmpty else { return nil }
            defer { (buffer, searched) = ([], 0) }
            return String(decoding: buffer, as: UTF8.self)
        }
        let line = String(decoding: buffer[..<newline], as: UTF8.self)
        buffer.removeFirst(newline + 1)
        searched = 0
        return line
    }
}
