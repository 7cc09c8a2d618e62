package import NodeCore

/// The clear part of a record: all that a replica needs to compare, compact and serve it.
package struct RecordHeader: Hashable, Sendable {
    package let lane: LaneID
    /// From 1. The writer counts up; holes are superseded rows.
    package let seq: UInt64
    package let slot: Slot
    package let kind: RecordKind
    package let keyVersion: UInt64

    package init(lane: LaneID, seq: UInt64, slot: Slot, kind: RecordKind, keyVersion: UInt64) {
        self.lane = lane
        self.seq = seq
        self.slot = slot
        self.kind = kind
        self.keyVersion = keyVersion
    }

    /// The associated data for sealing a blob. It lacks the blob's hash, which depends on the ciphertext.
    package var blobAssociatedData: [UInt8] { associatedData(of: nil) }

    /// The associated data for sealing the meta: the whole clear header, including the blob's hash.
    package func metaAssociatedData(blob: BlobReference?) -> [UInt8] { associatedData(of: .some(blob)) }

    private func associatedData(of blob: BlobReference??) -> [UInt8] {
        var writer = CBORWriter(capacity: 128)
        writer.writeArray(blob == nil ? 6 : 8)
        write(to: &writer)
        if case .some(let blob) = blob { Self.write(blob, to: &writer) }
        return writer.bytes
    }

    func write(to writer: inout CBORWriter) {
        writer.write(Record.formatVersion)
        writer.write(lane)
        writer.write(seq)
        writer.write(slot)
        writer.write(kind.rawValue)
        writer.write(keyVersion)
    }

    static func write(_ blob: BlobReference?, to writer: inout CBORWriter) {
        writer.write(UInt64(blob?.sizeBytes ?? 0))
        if let blob { writer.write(blob.hash) } else { writer.write(bytes: []) }
    }
}
