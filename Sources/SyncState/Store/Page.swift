import NodeCore

/// A piece of a lane in the order of its seq.
package struct Page: Sendable {
    /// Canonical records, ascending.
    package var rows: [[UInt8]]
    /// The receiver has all that the sender has up to here, once it took the rows.
    package var through: UInt64
    /// The highest seq that the sender knows to exist.
    package var target: UInt64
    /// Whether `through` is the sender's head.
    package var isDone: Bool
    /// Where the next page of the same answer goes on.
    package var cursor: RowID
}
