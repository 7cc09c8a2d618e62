package import NodeCore
import SyncState

/// The keys of one epoch of a group, all derived from its root (docs/PROTOCOL.md, §13.4).
package final class GroupEpoch: Sendable {
    /// The genesis or rotation that started the epoch.
    package let record: RecordHash
    /// 32 random bytes.
    package let root: Secret
    /// The epoch number that records show: the beginning of `record`. If two epochs have the same, both are tried.
    package let number: UInt64
    /// The key for recognising beacons.
    package let discovery: Secret
    /// The PSK of sessions.
    package let session: Secret
    /// The secret in tokens issued in this epoch, for meeting a joiner.
    package let rendezvous: Secret
    /// Seals the meta of records.
    let meta: Secret
    /// Seals lists of names that travel as blobs.
    let names: Secret

    package init(record: RecordHash, root: Secret) {
        self.record = record
        self.root = root
        number = Self.number(of: record)
        let replication = HKDF.derive(root, "group/repl")
        let read = HKDF.derive(root, "group/read")
        discovery = HKDF.derive(replication, "repl/discovery")
        session = HKDF.derive(replication, "repl/session")
        rendezvous = HKDF.derive(replication, "repl/rendezvous").slice(0..<GroupToken.rendezvousBytes)
        meta = HKDF.derive(read, "read/meta")
        names = HKDF.derive(read, "read/names")
    }

    static func number(of record: RecordHash) -> UInt64 { record.storage.w0 >> 32 }
}
