package import NodeCore

/// One root of a zone, and all keys that follow from it (docs/PROTOCOL.md, §3).
package final class ZoneRoot: Sendable {
    /// The Rotate that made it; for the first root, genesis.
    package let rotate: RecordHash
    /// 32 bytes: random, but for an account's first root, which follows from its words.
    package let secret: Secret
    /// Its holder may replicate: prove itself to peers, and compact.
    package let replication: Secret
    /// Its holder may read. A replica does not have it.
    package let reading: Secret
    /// Recognises beacons.
    package let discovery: Secret
    /// The PSK of sessions.
    package let session: Secret
    /// Opens the meta of records.
    package let meta: Secret
    /// The pseudo-random key from which each segment's key is expanded.
    package let archive: Secret

    package init(rotate: RecordHash, secret: Secret) {
        self.rotate = rotate
        self.secret = secret
        (replication, reading) = Self.halves(of: secret)
        discovery = HKDF.derive(replication, "repl/discovery")
        session = HKDF.derive(replication, "repl/session")
        meta = HKDF.derive(reading, "read/meta")
        archive = HKDF.derive(reading, "read/archive")
    }

    /// A new root, before the Rotate that announces it has a hash.
    static func draw(_ random: inout any RandomSource) -> Secret { Secret(random: &random, count: Limits.rootBytes) }

    /// The id by which records name it: the first 32 bits of its Rotate's hash. Two roots may have the same.
    package var id: UInt64 { Self.id(rotate) }

    package static func id(_ rotate: RecordHash) -> UInt64 { rotate.storage.w0 >> 32 }

    /// The commitment in its Rotate, so that its recipients can check the root.
    var commitment: RootCommitment { RootCommitment(to: (replication, reading)) }

    /// The same, before the Rotate has a hash.
    package static func commitment(to secret: Secret) -> RootCommitment { RootCommitment(to: halves(of: secret)) }

    private static func halves(of secret: Secret) -> (replication: Secret, reading: Secret) {
        (HKDF.derive(secret, "root/repl"), HKDF.derive(secret, "root/read"))
    }
}

extension RootCommitment {
    fileprivate init(to halves: (replication: Secret, reading: Secret)) {
        func hash(_ half: Secret) -> Bytes32 {
            half.withUnsafeBytes { Blake2b.hash32(Array($0), domain: "kachat root") }
        }
        self.init(replication: hash(halves.replication), reading: hash(halves.reading))
    }
}
