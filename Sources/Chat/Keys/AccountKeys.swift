package import Ledger
package import NodeCore

/// All keys of an account, derived from its root (docs/PROTOCOL.md, §3).
///
/// The same recovery phrase gives the same root and so the same keys on each of the person's devices.
package struct AccountKeys: Sendable {
    private let root: Secret
    /// The account's own key: it signs the handshake hash, to prove to peers that this node has the root.
    package let identity: Ed25519.KeyPair
    package let accountID: AccountID
    /// Roots are sealed to it for whoever restores by the words. It cannot sign.
    package let recovery: X25519.KeyPair
    /// The first record of the account's ledger. The same words make the same one on devices that never met.
    package let genesis: LedgerRecord
    /// The hash of genesis.
    package let zone: ZoneID
    /// Names slots; the same for all key versions, so that a rotation does not move them.
    package let slotKey: Secret
    /// Seals messages waiting for their segment; the same for all versions, so that a rotation locks nothing.
    package let queueKey: Secret
    /// Seals a device's pending joins, which wait for a member.
    let joinKey: Secret

    /// The version with which each device starts.
    package static let firstVersion: UInt64 = 1

    /// From a BIP39 seed of 64 bytes.
    package init(seed: Secret) {
        self.init(root: HKDF.extract(salt: Array("kachat/account/phrase".utf8), inputKey: seed))
    }

    /// From a wallet's key of 32 bytes.
    package init(walletKey: Secret) {
        self.init(root: HKDF.extract(salt: Array("kachat/account/wallet".utf8), inputKey: walletKey))
    }

    private init(root: Secret) {
        self.root = root
        identity = Ed25519.KeyPair(seed: HKDF.derive(root, "account/ed25519"))
        accountID = AccountID(identity.publicKey)
        recovery = X25519.KeyPair(secret: HKDF.derive(root, "account/recovery"))
        slotKey = HKDF.derive(root, "account/slot")
        queueKey = HKDF.derive(root, "account/queue")
        joinKey = HKDF.derive(root, "account/joins")
        genesis = Self.genesis(identity, recovery)
        zone = genesis.home
    }

    private static func genesis(_ identity: Ed25519.KeyPair, _ recovery: X25519.KeyPair) -> LedgerRecord {
        LedgerRecord(
            zone: .zero, signer: identity.publicKey, prev: .zero,
            act: .genesis(.account(identity: PersonID(identity.publicKey), sealKey: recovery.publicKey)),
            sign: identity.sign)
    }

    /// The keys of one `syncKeyVersion`.
    package func version(_ version: UInt64) -> AccountKeyVersion {
        var number = ByteWriter()
        number.write(u64: version)
        return AccountKeyVersion(
            number: version,
            replication: HKDF.derive(root, "account/repl", number.bytes),
            read: HKDF.derive(root, "account/read", number.bytes))
    }

    /// The seed of the member's key in a group: the same on all devices of the account, another in each group, and
    /// another again after each removal.
    ///
    /// - Parameter context: `GroupMembership.context`
    package func memberSeed(context: Bytes32, removals: UInt32) -> Secret {
        var number = ByteWriter()
        number.write(u32: removals)
        return HKDF.derive(root, "account/member", context.bytes + number.bytes)
    }
}

/// The keys of an account under one `syncKeyVersion`.
package final class AccountKeyVersion: Sendable {
    package let number: UInt64
    /// Its holder may replicate: prove itself to peers, and compact.
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
