import NodeCore
import SyncState

/// Reads what the records of segments say.
final class SegmentRecords: SegmentOpener {
    private let sealer: RecordSealer

    init(sealer: RecordSealer) {
        self.sealer = sealer
    }

    /// The meta of a held segment, which was checked when its record came in.
    func meta(of record: Record) -> SegmentMeta? {
        guard record.kind == .segment, let meta = try? sealer.open(record), meta.type == MetaType.segment.rawValue
        else { return nil }
        return try? SegmentMeta(decoding: meta.fields)
    }

    func sealed(_ record: Record, _ meta: SegmentMeta, _ blob: UnsafeRawBufferPointer) -> SealedSegment {
        SealedSegment(
            name: meta.name, header: record.header.blobAssociatedData,
            archiveKey: sealer.version(record.header.keyVersion).archive, ciphertext: blob,
            payloadVersion: meta.payloadVersion)
    }

    func withSegment(_ copy: SegmentCopy, _ body: (SealedSegment) -> Void) -> Bool {
        guard let record = try? Record(encoded: copy.record), let meta = meta(of: record) else { return false }
        copy.blob.withUnsafeBytes { body(sealed(record, meta, $0)) }
        return true
    }

    /// Another one, for another thread.
    func another() -> SegmentRecords {
        SegmentRecords(sealer: RecordSealer(keys: sealer.keys, version: sealer.current.number))
    }
}
