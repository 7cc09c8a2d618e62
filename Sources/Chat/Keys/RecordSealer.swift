package import NodeCore
package import SyncState

/// Seals and opens the meta of an account's records, and names their slots.
package final class RecordSealer: ZoneSealer {
    package let keys: AccountKeys
    /// The version that seals new records.
    package private(set) var current: AccountKeyVersion
    private var versions: [UInt64: AccountKeyVersion] = [:]

    package init(keys: AccountKeys, version: UInt64) {
        self.keys = keys
        current = keys.version(version)
        versions[version] = current
    }

    /// Uses that version for new records.
    package func use(version number: UInt64) { current = version(number) }

    package func version(_ number: UInt64) -> AccountKeyVersion {
        if number == current.number { return current }
        if let known = versions[number] { return known }
        let made = keys.version(number)
        // Peers choose the number: the table is dropped so that it cannot grow without bound.
        if versions.count > 64 { versions = [current.number: current] }
        versions[number] = made
        return made
    }

    package var zone: ZoneID { keys.zone }
    package var keyVersion: UInt64 { current.number }
    package var signsRecords: Bool { false }

    /// BLAKE2b-128 of the slot's name and tag under the slot key.
    package func slot(named name: [UInt8], tag: Bytes16) -> Slot {
        Slot(Blake2b.hash16(name + tag.bytes, key: keys.slotKey, domain: "kachat slot"))
    }

    package func seal(
        _ meta: RecordMeta, header: RecordHeader, blob: BlobReference?, random: inout any RandomSource
    ) -> [UInt8] {
        XChaChaPoly.seal(
            meta.encoded, associatedData: header.metaAssociatedData(blob: blob),
            key: metaKey(header), random: &random)
    }

    /// Opens a record's meta. Throws unless it is authentic and in canonical form.
    package func open(_ record: Record) throws(RecordRejection) -> RecordMeta {
        let plain: [UInt8]
        do {
            plain = try XChaChaPoly.open(
                record.sealedMeta, associatedData: record.header.metaAssociatedData(blob: record.blob),
                key: metaKey(record.header))
        } catch {
            throw .notAuthentic
        }
        guard let meta = try? RecordMeta(encoded: plain) else { throw .malformedMeta }
        return meta
    }

    private func metaKey(_ header: RecordHeader) -> Secret {
        let version = version(header.keyVersion)
        return header.kind == .retire ? version.retirement : version.meta
    }
}
