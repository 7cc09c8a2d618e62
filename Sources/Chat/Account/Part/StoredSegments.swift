import Ledger
import NodeCore
import SyncState

/// Provides the chat state with the sealed segments of the store.
final class StoredSegments: SegmentSource {
    private unowned let store: ZoneStore
    private let records: SegmentRecords

    init(store: ZoneStore, sealer: RecordSealer) {
        self.store = store
        records = SegmentRecords(sealer: sealer)
    }

    var latestArrival: UInt64 { UInt64(store.latestArrival) }

    func sealed(_ record: Record, _ meta: SegmentMeta, _ blob: UnsafeRawBufferPointer) -> SealedSegment {
        records.sealed(record, meta, blob)
    }

    /// The meta of a held segment, which was validated when its record arrived.
    func meta(of record: Record) -> SegmentMeta? { records.meta(of: record) }

    func copy(_ arrivalID: UInt64) throws -> SegmentCopy? {
        try store.heldBytes(arrival: Int64(arrivalID)).map {
            SegmentCopy(arrivalID: arrivalID, record: $0.record, blob: $0.blob)
        }
    }

    func isOwn(_ arrivalID: UInt64) throws -> Bool { try store.isOwn(arrival: Int64(arrivalID)) }

    func makeOpener() -> any SegmentOpener { records.another() }

    func withSegment(_ arrivalID: UInt64, _ body: (SealedSegment) throws -> Void) throws -> Bool {
        var isSegment = false
        let isHeld = try store.withHeld(arrival: Int64(arrivalID)) { record, blob in
            guard let meta = meta(of: record) else { return }
            isSegment = true
            try body(sealed(record, meta, blob))
        }
        return isHeld && isSegment
    }

    /// The record of an arrival; nil if its blob is not held.
    func record(of arrivalID: UInt64) throws -> Record? {
        var found: Record?
        _ = try store.withHeld(arrival: Int64(arrivalID)) { record, _ in found = record }
        return found
    }

    func forEachSegment(after: UInt64, _ body: (UInt64, SealedSegment) throws -> Bool) throws {
        var last = Int64(after)
        while let held = try store.nextHeld(after: last) {
            last = held.arrival
            guard let meta = meta(of: held.record) else { continue }
            let goesOn = try held.blob.withUnsafeBytes {
                try body(UInt64(held.arrival), sealed(held.record, meta, $0))
            }
            if !goesOn { return }
        }
    }
}

/// Reads the content of segment records.
final class SegmentRecords: SegmentOpener {
    private let sealer: RecordSealer

    init(sealer: RecordSealer) {
        self.sealer = sealer
    }

    /// The meta of a held segment, which was validated when its record arrived.
    func meta(of record: Record) -> SegmentMeta? {
        guard record.kind == .segment, let meta = try? sealer.open(record), meta.type == MetaType.segment.rawValue
        else { return nil }
        return try? SegmentMeta(decoding: meta.fields)
    }

    /// - Precondition: `meta` was opened from the record.
    func sealed(_ record: Record, _ meta: SegmentMeta, _ blob: UnsafeRawBufferPointer) -> SealedSegment {
        guard let root = sealer.root(of: record) else {
            preconditionFailure("invariant: the root under which a record was opened is held")
        }
        return SealedSegment(
            name: meta.name, header: record.header.blobAssociatedData, archiveKey: root.archive, ciphertext: blob,
            payloadVersion: meta.payloadVersion)
    }

    func withSegment(_ copy: SegmentCopy, _ body: (SealedSegment) -> Void) -> Bool {
        guard let record = try? Record(encoded: copy.record), let meta = meta(of: record) else { return false }
        copy.blob.withUnsafeBytes { body(sealed(record, meta, $0)) }
        return true
    }

    /// A second instance, for another thread.
    func another() -> SegmentRecords {
        SegmentRecords(sealer: RecordSealer(copying: sealer))
    }
}
