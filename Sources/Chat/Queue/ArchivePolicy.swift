/// When a group of queued messages becomes a segment: at a count, at a size, or at an age, whichever comes first.
package struct ArchivePolicy: Sendable, Hashable {
    /// Messages of a segment.
    package let messages: Int
    /// Bytes of a segment's messages, encoded and not compressed. A longer message stands alone.
    package let bytes: Int
    /// How long after a group's first message it is cut, whatever it has.
    package let age: Duration

    package static let messageBounds = 1...Limits.segmentMessages
    package static let byteBounds = 4_096...Limits.segmentBytes
    package static let ageBounds: ClosedRange<Duration> = .seconds(5) ... .seconds(3_600)

    /// Values beyond their bounds are brought into them.
    package init(
        messages: Int = Limits.segmentMessages, bytes: Int = Limits.segmentBytes, age: Duration = Limits.segmentAge
    ) {
        self.messages = messages.clamped(to: Self.messageBounds)
        self.bytes = bytes.clamped(to: Self.byteBounds)
        self.age = age.clamped(to: Self.ageBounds)
    }

    func isFull(messages: Int, bytes: Int) -> Bool { messages >= self.messages || bytes >= self.bytes }
}

extension Comparable {
    fileprivate func clamped(to bounds: ClosedRange<Self>) -> Self {
        min(max(self, bounds.lowerBound), bounds.upperBound)
    }
}
