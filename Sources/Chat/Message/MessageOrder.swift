/// Where a message stands among all of its conversation; equal ones are ordered by txid.
///
/// Accepted messages come first, by score; then those only in a block, by its time; then those in neither, by the
/// sender's clock, and those sent in one second as they were added: newest last. One word: the class in the top two
/// bits, the number below.
package struct MessageOrder: Sendable, Hashable, Comparable {
    package let word: UInt64

    package init(word: UInt64) { self.word = word }

    /// - Parameter senderOrder: `ChatMessage.senderOrder`
    package init(score: UInt64?, blockTime: UInt64?, senderTimestamp: UInt64, senderOrder: UInt16 = 0) {
        if let score {
            word = min(score, Limits.acceptingDaaScore)
        } else if let blockTime {
            word = 1 << 62 | min(blockTime, Limits.timeMilliseconds)
        } else {
            let place = UInt64(min(senderOrder, Limits.senderOrder))
            word = 2 << 62 | min(senderTimestamp, Limits.timestampSeconds) * 1_000 + place
        }
    }

    /// The accepting score, if the message is ordered by it.
    package var score: UInt64? { word >> 62 == 0 ? word : nil }

    /// The first word behind all scores.
    static let firstWithoutScore = MessageOrder(word: 1 << 62)

    package static func < (left: MessageOrder, right: MessageOrder) -> Bool { left.word < right.word }

    /// The time on which the time scale of a read position is measured, in milliseconds.
    static func time(blockTime: UInt64?, senderTimestamp: UInt64) -> UInt64 {
        min(blockTime ?? min(senderTimestamp, Limits.timestampSeconds) * 1_000, Limits.timeMilliseconds)
    }
}
