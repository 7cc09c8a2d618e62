import NodeCore

/// A row whose blob is not here yet: the resume state of a restore. An object, since lists of them are sorted and cut.
package final class WantedBlob: Sendable {
    package let row: RowID
    package let record: Record
    /// Higher is fetched earlier: the time of the newest content, in seconds.
    package let priority: Int64

    package init(row: RowID, record: Record, priority: Int64) {
        self.row = row
        self.record = record
        self.priority = priority
    }

    package var blob: BlobReference {
        guard let blob = record.blob else { preconditionFailure("invariant: only rows with a blob are wanted") }
        return blob
    }
}
