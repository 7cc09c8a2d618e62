import NodeCore

/// The primary key of a row: lane number, seq, and an index among the records at that seq.
///
/// 12, 44 and 7 bits of a positive 64-bit integer: rows of one lane are stored together in order of seq, so that a page
/// is one range scan and an append goes to the end of its lane, without a further index.
package struct RowID: Hashable, Comparable, Sendable {
    package let value: Int64

    private static let forkBits: Int64 = 7
    private static let seqBits: Int64 = 44

    package init(value: Int64) { self.value = value }

    init(lane: Int, seq: UInt64, fork: Int = 0) {
        precondition(lane < Limits.lanes && seq <= Limits.highestSeq && fork < Limits.forksPerSeq, "invariant: bounded")
        value = Int64(lane) << (Self.seqBits + Self.forkBits) | Int64(seq) << Self.forkBits | Int64(fork)
    }

    var lane: Int { Int(value >> (Self.seqBits + Self.forkBits)) }
    package var seq: UInt64 { UInt64(value >> Self.forkBits) & Limits.highestSeq }
    var fork: Int { Int(value & (1 << Self.forkBits - 1)) }

    package static func < (one: RowID, other: RowID) -> Bool { one.value < other.value }

    /// The first and last id that rows of these seqs can have.
    static func bounds(lane: Int, from low: UInt64, through high: UInt64) -> (low: Int64, high: Int64) {
        (
            RowID(lane: lane, seq: min(low, Limits.highestSeq)).value,
            RowID(lane: lane, seq: min(high, Limits.highestSeq), fork: Limits.forksPerSeq - 1).value
        )
    }
}
