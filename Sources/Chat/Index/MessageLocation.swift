/// Where a message lies: a row of the queue, or a place in a segment. 48 bits, so that it takes 6 bytes in the index.
///
/// Bit 47: in the queue; bits 8 to 46: queue row id or arrival id of the segment; bits 0 to 7: position in the segment.
struct MessageLocation: Hashable, Comparable, Sendable {
    let word: UInt64

    init(word: UInt64) { self.word = word }

    /// No copy is held: stands for a message of which only an overlay is known. Segments are counted from 1.
    static let nowhere = MessageLocation(word: 0)

    static func queue(row: Int64) -> MessageLocation {
        precondition(row >= 0 && UInt64(row) <= Limits.locationID, "invariant: queue rows are counted from 1")
        return MessageLocation(word: 1 << 47 | UInt64(row) << 8)
    }

    static func segment(_ arrivalID: UInt64, position: Int) -> MessageLocation {
        precondition(arrivalID <= Limits.locationID && position < 256, "invariant: segments have at most 256 messages")
        return MessageLocation(word: arrivalID << 8 | UInt64(position))
    }

    var isQueued: Bool { word >> 47 != 0 }
    var id: UInt64 { word >> 8 & Limits.locationID }
    var queueRow: Int64 { Int64(id) }
    var position: Int { Int(word & 0xff) }

    static func < (left: MessageLocation, right: MessageLocation) -> Bool { left.word < right.word }
}
