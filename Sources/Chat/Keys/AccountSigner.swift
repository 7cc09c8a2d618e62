package import Ledger
package import NodeCore

/// The person's own keys, which follow from the recovery phrase or a wallet's key. They found an account, let a device
/// in by the words, remove a device, and open what was sealed for a restore.
///
/// The same phrase founds the same account on devices that never met.
package struct AccountSigner: Sendable {
    /// Signs for the person.
    package let identity: Ed25519.KeyPair
    /// Opens roots sealed to the person. It cannot sign.
    package let recovery: X25519.KeyPair
    /// The persons as whom the account is in groups follow from it.
    let persons: Secret
    /// The keys that a device keeps when the words are gone.
    package let keys: AccountKeys

    /// From a BIP39 seed of 64 bytes.
    package init(seed: Secret) {
        self.init(root: HKDF.extract(salt: Array("kachat/account/phrase".utf8), inputKey: seed))
    }

    /// From a wallet's key of 32 bytes.
    package init(walletKey: Secret) {
        self.init(root: HKDF.extract(salt: Array("kachat/account/wallet".utf8), inputKey: walletKey))
    }

    private init(root: Secret) {
        let identity = Ed25519.KeyPair(seed: HKDF.derive(root, "account/ed25519"))
        let recovery = X25519.KeyPair(secret: HKDF.derive(root, "account/recovery"))
        let genesis = LedgerRecord(
            zone: .zero, signer: identity.publicKey, prev: .zero,
            act: .genesis(.account(identity: PersonID(identity.publicKey), sealKey: recovery.publicKey)),
            sign: identity.sign)
        guard let keys = AccountKeys(genesis: genesis, firstRoot: HKDF.derive(root, "account/root")) else {
            preconditionFailure("invariant: the record just made begins an account")
        }
        self.identity = identity
        self.recovery = recovery
        persons = HKDF.derive(root, "account/persons")
        self.keys = keys
    }

    /// A removal, signed by the person.
    package func record(of remove: Remove) -> LedgerRecord {
        LedgerRecord(
            zone: keys.zone, signer: keys.identity.storage, prev: .zero, act: .remove(remove), sign: identity.sign)
    }
}
