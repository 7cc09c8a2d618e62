import NodeCore
import SyncState

/// A sealed root: for one member in a `seal` record, or under the next root in a `rotate` record.
///
/// For a member: `ephemeral X25519 key ‖ XChaCha20-Poly1305(root)`, under a key derived from the agreement of the
/// ephemeral key with the member's. The opened root is verified against the commitment in the record that started its
/// epoch.
enum RootSeal {
    private static let rootBytes = 32

    /// Nil if the member's id is not a key of full order: then nobody can have its secret.
    static func seal(
        _ epoch: GroupEpoch, to member: MemberID, group: ZoneID, random: inout any RandomSource
    ) -> [UInt8]? {
        guard let key = Ed25519.agreementKey(of: member.storage) else { return nil }
        let ephemeral = X25519.KeyPair(secret: Secret(random: &random, count: X25519.secretBytes))
        guard let shared = try? ephemeral.agree(with: key) else { return nil }
        let sealed = XChaChaPoly.seal(
            Array(copying: epoch.root), associatedData: group.bytes + epoch.record.bytes + member.bytes,
            key: sealingKey(shared, ephemeral.publicKey), random: &random)
        return ephemeral.publicKey.bytes + sealed
    }

    /// Opens the root of `record` sealed to the holder of `key`; nil for anything else.
    static func open(_ sealed: [UInt8], record: RecordHash, key: Ed25519.KeyPair, group: ZoneID) -> Secret? {
        guard sealed.count > Bytes32.byteCount,
            let ephemeral = Bytes32(bytes: sealed.prefix(Bytes32.byteCount)),
            let shared = try? key.agreement.agree(with: ephemeral),
            let root = try? XChaChaPoly.open(
                sealed.dropFirst(Bytes32.byteCount),
                associatedData: group.bytes + record.bytes + key.publicKey.bytes,
                key: sealingKey(shared, ephemeral)),
            root.count == rootBytes
        else { return nil }
        return Secret(bytes: root)
    }

    private static func sealingKey(_ shared: Secret, _ ephemeral: Bytes32) -> Secret {
        HKDF.derive(shared, "group/seal", ephemeral.bytes)
    }

    /// The previous root, as carried by the rotation to `next`.
    static func seal(previous: GroupEpoch, under next: Secret, random: inout any RandomSource) -> [UInt8] {
        XChaChaPoly.seal(
            Array(copying: previous.root), associatedData: previous.record.bytes, key: chainKey(next), random: &random)
    }

    static func open(previous sealed: [UInt8], record: RecordHash, under next: Secret) -> Secret? {
        guard let root = try? XChaChaPoly.open(sealed, associatedData: record.bytes, key: chainKey(next)),
            root.count == rootBytes
        else { return nil }
        return Secret(bytes: root)
    }

    private static func chainKey(_ root: Secret) -> Secret { HKDF.derive(root, "group/previous") }
}

extension [UInt8] {
    /// For libsodium's plaintexts; the copy is short-lived.
    fileprivate init(copying secret: Secret) { self = secret.withUnsafeBytes { Array($0) } }
}
