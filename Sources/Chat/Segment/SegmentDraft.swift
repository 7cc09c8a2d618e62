/// A segment that was cut and waits to be sealed and written as a record.
package struct SegmentDraft: Sendable {
    package let meta: SegmentMeta
    /// The compressed payload, which was verified to give the messages back.
    package let compressed: [UInt8]
    /// Rows of the queue that it empties.
    package let queueRows: [Int64]

    package init(meta: SegmentMeta, compressed: [UInt8], queueRows: [Int64]) {
        self.meta = meta
        self.compressed = compressed
        self.queueRows = queueRows
    }
}
