package import NodeCore
package import SyncState

/// The epochs of a group whose roots are held here: seals and opens its records.
package final class GroupKeyRing: ZoneSealer {
    package let zone: ZoneID
    /// The first is the one started by the genesis; the others in the order in which they became known.
    package private(set) var epochs: [GroupEpoch]
    /// The epoch that seals new records.
    package private(set) var current: GroupEpoch
    /// Epochs whose root was verified against the record that started them.
    private var checked: Set<RecordHash>
    /// Names slots. It always is the first epoch's key, so that a rotation does not move them.
    private let slotKey: Secret

    /// The result of opening a record's meta.
    enum Opened {
        case meta(RecordMeta)
        /// Sealed under a root that is not held, perhaps not yet.
        case locked
    }

    package init(group: ZoneID, first: GroupEpoch) {
        zone = group
        epochs = [first]
        current = first
        checked = [first.record]
        slotKey = HKDF.derive(first.root, "group/slot")
    }

    package var keyVersion: UInt64 { current.number }

    package func epoch(of record: RecordHash) -> GroupEpoch? { epochs.first { $0.record == record } }

    /// False if it is already held.
    func add(_ epoch: GroupEpoch) -> Bool {
        guard self.epoch(of: epoch.record) == nil else { return false }
        epochs.append(epoch)
        return true
    }

    func isChecked(_ epoch: GroupEpoch) -> Bool { checked.contains(epoch.record) }

    /// The epoch's root matches its record.
    func confirm(_ epoch: GroupEpoch) { checked.insert(epoch.record) }

    /// Forgets an epoch whose root is wrong.
    func drop(_ epoch: GroupEpoch) {
        epochs.removeAll { $0.record == epoch.record }
        if current.record == epoch.record { current = epochs[0] }
    }

    /// Forgets all but the first: after a rollback, possibly including an epoch that never began.
    func reset() {
        epochs = [epochs[0]]
        current = epochs[0]
        checked = [current.record]
    }

    /// Uses this one of the held epochs for new records.
    func use(_ epoch: GroupEpoch) { current = epoch }

    // MARK: Records

    package func slot(named name: [UInt8], tag: Bytes16) -> Slot {
        Slot(Blake2b.hash16(name + tag.bytes, key: slotKey, domain: "kachat slot"))
    }

    package func seal(
        _ meta: RecordMeta, header: RecordHeader, blob: BlobReference?, random: inout any RandomSource
    ) -> [UInt8] {
        XChaChaPoly.seal(
            meta.encoded, associatedData: header.metaAssociatedData(blob: blob), key: current.meta, random: &random)
    }

    func open(_ record: Record) throws(RecordRejection) -> Opened {
        let associatedData = record.header.metaAssociatedData(blob: record.blob)
        var isKnown = false
        for epoch in epochs where epoch.number == record.header.keyVersion {
            // If the root was not verified, the record may be right and the root wrong.
            if isChecked(epoch) { isKnown = true }
            guard
                let plain = try? XChaChaPoly.open(
                    record.sealedMeta, associatedData: associatedData, key: epoch.meta)
            else { continue }
            guard let meta = try? RecordMeta(encoded: plain) else { throw .malformedMeta }
            return .meta(meta)
        }
        guard !isKnown else { throw .notAuthentic }
        return .locked
    }

    // MARK: Lists of names

    func sealNames(_ list: [UInt8], header: RecordHeader, random: inout any RandomSource) -> [UInt8] {
        XChaChaPoly.seal(list, associatedData: header.blobAssociatedData, key: current.names, random: &random)
    }

    /// Nil if no epoch's key opens it.
    func openNames(_ blob: UnsafeRawBufferPointer, header: RecordHeader) -> [UInt8]? {
        let associatedData = header.blobAssociatedData
        for epoch in epochs where epoch.number == header.keyVersion {
            let list = associatedData.withUnsafeBytes {
                try? XChaChaPoly.open(blob, associatedData: $0, key: epoch.names)
            }
            if let list { return list }
        }
        return nil
    }
}
