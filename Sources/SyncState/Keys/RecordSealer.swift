package import Ledger
package import NodeCore

/// Seals and opens the meta of a zone's records under the roots that are held, and names their slots.
package final class RecordSealer {
    package let zone: ZoneID
    /// The same under all roots, so that a rotation does not move slots.
    private let slotKey: Secret
    /// The root that seals new records.
    package private(set) var current: ZoneRoot
    /// Keyed by the number that records show. A lane could make a root with the number of another.
    private var roots: [UInt64: [ZoneRoot]]
    /// The numbers of roots that the ledger names and that are not held.
    private var lacking: Set<UInt64> = []

    package init(zone: ZoneID, first: ZoneRoot, slotKey: Secret) {
        self.zone = zone
        self.slotKey = slotKey
        current = first
        roots = [first.id: [first]]
    }

    /// A second instance, for another thread.
    package init(copying other: RecordSealer) {
        (zone, slotKey) = (other.zone, other.slotKey)
        current = other.current
        roots = other.roots
        lacking = other.lacking
    }

    /// Uses these roots; new records are sealed under the first.
    ///
    /// - Parameters:
    ///   - held: at least one.
    ///   - rotates: the Rotates that count, of held roots and of others.
    package func use(_ held: [ZoneRoot], of rotates: some Sequence<RecordHash> = []) {
        current = held[0]
        roots = Dictionary(grouping: held, by: \.id)
        let known = Set(held.map(\.rotate))
        lacking = Set(rotates.lazy.filter { !known.contains($0) }.map(ZoneRoot.id))
    }

    /// The version of the keys that seal new records.
    package var keyVersion: UInt64 { current.id }

    /// BLAKE2b-128 of the slot's name and tag under the slot key.
    package func slot(named name: [UInt8], tag: Bytes16) -> Slot {
        Slot(Blake2b.hash16(name + tag.bytes, key: slotKey, domain: "kachat slot"))
    }

    package func slot(named name: String, tag: Bytes16) -> Slot { slot(named: Array(name.utf8), tag: tag) }

    package func seal(
        _ meta: RecordMeta, header: RecordHeader, blob: BlobReference?, random: inout any RandomSource
    ) -> [UInt8] {
        XChaChaPoly.seal(
            meta.encoded, associatedData: header.metaAssociatedData(blob: blob),
            key: current.meta, random: &random)
    }

    /// Opens a record's meta. Throws unless it is authentic and in canonical form; `notYet` if it is sealed under a
    /// root that is not held.
    package func open(_ record: Record) throws(RecordRejection) -> RecordMeta { try opened(record).meta }

    /// The root under which a record that opens was sealed.
    package func root(of record: Record) -> ZoneRoot? {
        let named = roots[record.header.keyVersion] ?? []
        return named.count > 1 ? try? opened(record).root : named.first
    }

    private func opened(_ record: Record) throws(RecordRejection) -> (meta: RecordMeta, root: ZoneRoot) {
        guard let named = roots[record.header.keyVersion] else { throw .notYet }
        let associatedData = record.header.metaAssociatedData(blob: record.blob)
        for root in named {
            guard
                let plain = try? XChaChaPoly.open(
                    record.sealedMeta, associatedData: associatedData, key: root.meta)
            else { continue }
            guard let meta = try? RecordMeta(encoded: plain) else { throw .malformedMeta }
            return (meta, root)
        }
        // A lane may have made a root with the number of one that is still to come.
        throw lacking.contains(record.header.keyVersion) ? .notYet : .notAuthentic
    }
}
