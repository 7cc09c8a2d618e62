package import NodeCore

/// A row whose blob is missing: together they are the resume state of a restore. A class, since lists of them are
/// sorted and cut.
package final class WantedBlob: Sendable {
    package let row: RowID
    package let record: Record
    /// Higher is fetched earlier: the time of the newest content, in seconds.
    package let priority: Int64
    /// When its row came here; nil if that is unknown.
    package let arrivedAt: WallTime?

    package init(row: RowID, record: Record, priority: Int64, arrivedAt: WallTime? = nil) {
        self.row = row
        self.record = record
        self.priority = priority
        self.arrivedAt = arrivedAt
    }

    package var blob: BlobReference {
        guard let blob = record.blob else { preconditionFailure("invariant: only rows with a blob are wanted") }
        return blob
    }
}
