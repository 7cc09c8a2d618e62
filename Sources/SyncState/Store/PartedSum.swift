import NodeCore

/// The sums of equal parts of a seq range, accumulated while its rows are read. That may take several turns, since a
/// range may have a million rows.
package struct PartedSum: Sendable {
    package let low: UInt64
    package let high: UInt64
    /// One sum per part, ascending; the last part may be shorter.
    package private(set) var sums: [SetSum]
    /// Number of seqs in a part.
    private let step: UInt64
    /// The row to read next; nil at the start.
    var cursor: Int64?

    /// - Parameters:
    ///   - low: not above `high`, which is at most `Limits.highestSeq`.
    ///   - parts: the maximum number of parts; fewer if the range has fewer seqs.
    package init(low: UInt64, high: UInt64, parts: UInt64) {
        precondition(low <= high && high <= Limits.highestSeq && parts > 0, "invariant: a range of seqs")
        self.low = low
        self.high = high
        step = (high - low) / parts + 1
        sums = [SetSum](repeating: SetSum(), count: Int((high - low) / step + 1))
    }

    mutating func add(_ hash: RecordHash, at seq: UInt64) { sums[Int((seq - low) / step)].add(hash) }

    /// The sum of all rows read so far.
    package var whole: SetSum { sums.reduce(into: SetSum()) { $0.add($1) } }

    /// The seqs of a part.
    package func bounds(of part: Int) -> (low: UInt64, high: UInt64) {
        let first = low + UInt64(part) * step
        return (first, min(first + step - 1, high))
    }

    /// Approximate memory use.
    package var sizeBytes: Int { sums.count * MemoryLayout<SetSum>.stride }
}
