/// A byte queue with one growing buffer: sealed frames are appended at the back, the socket takes from the front.
package struct OutputBuffer {
    /// Only `start..<end` holds bytes; the rest is spare, so that frames are sealed in place.
    private var storage: [UInt8] = []
    private var start = 0
    private var end = 0

    package init() {}

    /// Bytes waiting.
    package var count: Int { end - start }

    package var isEmpty: Bool { start == end }

    /// Bytes of memory held.
    package var capacity: Int { storage.count }

    /// Lends `maximum` bytes of free space at the end to `fill`, which returns how many it has written.
    package mutating func append<Failure: Error>(
        maximum: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        makeRoom(for: maximum)
        let range = end..<end + maximum
        let written = try storage.withUnsafeMutableBufferPointer { bytes throws(Failure) in
            try fill(UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[range])))
        }
        precondition(written >= 0 && written <= maximum, "invariant: no more is written than was lent")
        end += written
    }

    package mutating func append(_ bytes: [UInt8]) {
        append(maximum: bytes.count) { room in
            room.copyBytes(from: bytes)
            return bytes.count
        }
    }

    /// Lends the waiting bytes.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withUnsafeBufferPointer { bytes throws(Failure) in
            try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[start..<end])))
        }
    }

    /// Drops the first `count` bytes, which were sent.
    package mutating func consume(_ count: Int) {
        precondition(count >= 0 && count <= self.count, "invariant: no more is consumed than waits")
        start += count
        guard isEmpty else { return }
        start = 0
        end = 0
        if storage.count > Limits.outputBytesKept { storage = [] }
    }

    private mutating func makeRoom(for count: Int) {
        guard storage.count - end < count else { return }
        let waiting = self.count
        if start > 0, storage.count - waiting >= count, waiting <= storage.count / 2 {
            // At most half of the memory moves, so a byte moves less than once on average.
            storage.withUnsafeMutableBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: bytes[..<waiting])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            }
        } else {
            var grown = [UInt8](repeating: 0, count: Self.capacity(for: waiting + count))
            grown.withUnsafeMutableBytes { grown in
                withUnsafeBytes { grown.copyMemory(from: $0) }
            }
            storage = grown
        }
        start = 0
        end = waiting
    }

    /// Rounds up to a power of two, so that growing is rare and a steady flow needs no more than an empty buffer keeps.
    private static func capacity(for count: Int) -> Int {
        1 << (Int.bitWidth - max(count - 1, 1).leadingZeroBitCount)
    }
}

/// A FIFO queue that counts its bytes.
struct MessageQueue {
    private var messages: [[UInt8]] = []
    private var head = 0
    private(set) var bytes = 0

    var isEmpty: Bool { head == messages.count }

    var first: [UInt8]? { isEmpty ? nil : messages[head] }

    mutating func append(_ message: [UInt8]) {
        messages.append(message)
        bytes += message.count
    }

    mutating func removeFirst() {
        bytes -= messages[head].count
        // Frees the message's memory now. The slots are compacted when half of them are empty.
        messages[head] = []
        head += 1
        if head == messages.count {
            messages.removeAll(keepingCapacity: messages.count <= 64)
            head = 0
        } else if head > 64, head > messages.count / 2 {
            messages.removeFirst(head)
            head = 0
        }
    }
}
