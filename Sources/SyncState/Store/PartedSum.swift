import NodeCore

/// The sums of the equal parts of a range of seqs, while its rows are read: maybe in several turns, since a range may
/// have a million of them.
package struct PartedSum: Sendable {
    package let low: UInt64
    package let high: UInt64
    /// Of each part, ascending; the last part may be shorter.
    package private(set) var sums: [SetSum]
    /// Seqs of a part.
    private let step: UInt64
    /// The row to read next; nil at the beginning.
    var cursor: Int64?

    /// - Parameters:
    ///   - low: not above `high`, which is at most `Limits.highestSeq`.
    ///   - parts: at most so many; fewer where there are fewer seqs.
    package init(low: UInt64, high: UInt64, parts: UInt64) {
        precondition(low <= high && high <= Limits.highestSeq && parts > 0, "invariant: a range of seqs")
        self.low = low
        self.high = high
        step = (high - low) / parts + 1
        sums = [SetSum](repeating: SetSum(), count: Int((high - low) / step + 1))
    }

    mutating func add(_ hash: RecordHash, at seq: UInt64) { sums[Int((seq - low) / step)].add(hash) }

    /// Of all rows that were read.
    package var whole: SetSum { sums.reduce(into: SetSum()) { $0.add($1) } }

    /// The seqs of a part.
    package func bounds(of part: Int) -> (low: UInt64, high: UInt64) {
        let first = low + UInt64(part) * step
        return (first, min(first + step - 1, high))
    }

    /// About what it takes in memory.
    package var sizeBytes: Int { sums.count * MemoryLayout<SetSum>.stride }
}
