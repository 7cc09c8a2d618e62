package import NodeCore

/// The keys of an account under one `syncKeyVersion`.
package final class AccountKeyVersion: Sendable {
    package let number: UInt64
    /// Who holds it may replicate: proves itself to peers, and compacts.
    package let replication: Secret
    /// Recognises beacons; derived from `replication`.
    package let discovery: Secret
    /// The PSK of sessions; derived from `replication`.
    package let session: Secret
    /// Opens the meta of `Retire` records; derived from `replication`.
    package let retirement: Secret
    /// Opens the meta of all other records.
    package let meta: Secret
    /// The pseudo-random key from which each segment's key is expanded.
    package let archive: Secret

    init(number: UInt64, replication: Secret, read: Secret) {
        self.number = number
        self.replication = replication
        discovery = HKDF.derive(replication, "repl/discovery")
        session = HKDF.derive(replication, "repl/session")
        retirement = HKDF.derive(replication, "repl/retirement")
        meta = HKDF.derive(read, "read/meta")
        archive = HKDF.derive(read, "read/archive")
    }
}
