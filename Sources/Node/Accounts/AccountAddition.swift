package import Chat
package import NodeCore

/// An account that comes to this device, and what lets the device in.
package struct AccountAddition: Sendable {
    let keys: AccountKeys
    let entrance: AccountEntrance
    /// The entropy of a new account's words; nil if the user or another device has the account already.
    let phrase: Secret?
    /// Opens what other devices have sealed to the person; nil for a new account, and for a device that was paired.
    let recovery: Secret?
    /// The account that continues in this one.
    let renews: ZoneID?

    /// A new account with 24 words.
    ///
    /// - Parameter renews: the account that continues in the new one.
    package static func new(renewing renews: ZoneID? = nil) throws(NodeError) -> AccountAddition {
        var random = SystemRandom()
        let phrase = Secret(random: &random, count: 32)
        let signer = AccountSigner(seed: try RecoveryPhrase.seed(entropy: phrase))
        return AccountAddition(keys: signer.keys, entrance: .words(signer), phrase: phrase, renews: renews)
    }

    /// The account whose words or wallet key the user has.
    package init(by signer: AccountSigner) {
        self.init(keys: signer.keys, entrance: .words(signer), recovery: signer.recovery.secret)
    }

    /// The account of a recovery phrase that the user typed.
    package init(phrase text: String) throws(NodeError) { self.init(by: try RecoveryPhrase.signer(of: text)) }

    /// The account of a wallet's key, 64 hexadecimal digits.
    package init(walletKey text: String) throws(NodeError) { self.init(by: try WalletKey.signer(of: text)) }

    /// The account of another device, which let this one in.
    init(_ keys: AccountKeys, paired: PairedDevice) {
        self.init(keys: keys, entrance: .paired(paired))
    }

    private init(
        keys: AccountKeys, entrance: AccountEntrance, phrase: Secret? = nil, recovery: Secret? = nil,
        renews: ZoneID? = nil
    ) {
        self.keys = keys
        self.entrance = entrance
        self.phrase = phrase
        self.recovery = recovery
        self.renews = renews
    }
}
