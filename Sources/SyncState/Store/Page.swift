import NodeCore

/// A piece of a lane in ascending order of seq.
package struct Page: Sendable {
    /// Canonical records, ascending.
    package var rows: [[UInt8]]
    /// After taking the rows, the receiver has everything up to here that the sender has.
    package var through: UInt64
    /// The highest seq that the sender knows to exist.
    package var target: UInt64
    /// Whether `through` is the sender's head.
    package var isDone: Bool
    /// The start of the next page of the same answer.
    package var cursor: RowID
}
