package import NodeCore

/// The clear part of a record: all that a replica needs to compare, compact and serve it.
package struct RecordHeader: Hashable, Sendable {
    package let lane: LaneID
    /// From 1. The writer counts up; holes are superseded rows.
    package let seq: UInt64
    package let slot: Slot
    package let kind: RecordKind
    package let keyVersion: UInt64
    /// In a group, the name of the row that this one follows, or for a lane's first row its Enter; nil in an account.
    /// So a head names all rows before it.
    package let prev: RecordHash?

    package init(
        lane: LaneID, seq: UInt64, slot: Slot, kind: RecordKind, keyVersion: UInt64, prev: RecordHash? = nil
    ) {
        self.lane = lane
        self.seq = seq
        self.slot = slot
        self.kind = kind
        self.keyVersion = keyVersion
        self.prev = prev
    }

    /// The associated data for sealing a blob. It lacks the blob's hash, which depends on the ciphertext.
    package var blobAssociatedData: [UInt8] { associatedData(of: nil) }

    /// The associated data for sealing the meta: the whole clear header, including the blob's hash.
    package func metaAssociatedData(blob: BlobReference?) -> [UInt8] { associatedData(of: .some(blob)) }

    private func associatedData(of blob: BlobReference??) -> [UInt8] {
        var writer = CBORWriter(capacity: 128)
        writer.writeArray(fields + (blob == nil ? 0 : 2))
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
        if let prev { writer.write(prev) }
    }

    var fields: Int { prev == nil ? 6 : 7 }

    static func write(_ blob: BlobReference?, to writer: inout CBORWriter) {
        writer.write(UInt64(blob?.sizeBytes ?? 0))
        if let blob { writer.write(blob.hash) } else { writer.write(bytes: []) }
    }
}
