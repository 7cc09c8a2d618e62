/// Cuts a stream of bytes into lines of bounded length.
package struct LineBuffer: Sendable {
    /// One line without its newline, or a note that a line was too long to keep.
    package enum Line: Equatable, Sendable {
        case line([UInt8])
        case tooLong
    }

    private let limit: Int
    private var bytes: [UInt8] = []
    private var start = 0
    /// No newline exists before this index, so a long line is searched only once.
    private var searched = 0
    private var isSkipping = false

    package init(limit: Int) { self.limit = limit }

    /// Bytes not yet returned as lines.
    package var count: Int { bytes.count - start }

    package mutating func append(_ new: some Collection<UInt8>) {
        if start > 64 << 10 || start == bytes.count {
            bytes.removeSubrange(..<start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: new)
    }

    /// The next complete line; nil until its newline has arrived.
    package mutating func next() -> Line? {
        while true {
            guard let end = newline() else {
                if bytes.count - start > limit { skip() }
                return nil
            }
            let line = bytes[start..<end]
            start = end + 1
            searched = start
            if isSkipping {
                isSkipping = false
                return .tooLong
            }
            return line.count > limit ? .tooLong : .line(Array(line))
        }
    }

    /// The bytes after the last newline once the stream has ended; nil if there are none.
    package mutating func rest() -> Line? {
        defer {
            start = bytes.count
            searched = start
            isSkipping = false
        }
        if isSkipping { return .tooLong }
        guard count > 0 else { return nil }
        return count > limit ? .tooLong : .line(Array(bytes[start...]))
    }

    private mutating func newline() -> Int? {
        let found = bytes[searched...].firstIndex(of: 0x0A)
        searched = found ?? bytes.count
        return found
    }

    /// Discards the current line; only the fact that it was too long is kept.
    private mutating func skip() {
        isSkipping = true
        bytes.removeAll(keepingCapacity: true)
        start = 0
        searched = 0
    }
}
