package import Chat
import NodeCore

/// An account that comes to this device, and what lets the device in.
package struct AccountAddition: Sendable {
    let keys: AccountKeys
    let entrance: AccountEntrance
    /// The entropy of a new account's words; nil if the user or another device has the account already.
    let phrase: Secret?

    /// A new account with 24 words.
    package static func new() throws(NodeError) -> AccountAddition {
        var random = SystemRandom()
        let phrase = Secret(random: &random, count: 32)
        let signer = AccountSigner(seed: try RecoveryPhrase.seed(entropy: phrase))
        return AccountAddition(keys: signer.keys, entrance: .words(signer), phrase: phrase)
    }

    /// The account whose words or wallet key the user has.
    package init(by signer: AccountSigner) {
        self.init(keys: signer.keys, entrance: .words(signer), phrase: nil)
    }

    /// The account of another device, which let this one in.
    init(_ keys: AccountKeys, paired: PairedDevice) {
        self.init(keys: keys, entrance: .paired(paired), phrase: nil)
    }

    private init(keys: AccountKeys, entrance: AccountEntrance, phrase: Secret?) {
        self.keys = keys
        self.entrance = entrance
        self.phrase = phrase
    }
}
