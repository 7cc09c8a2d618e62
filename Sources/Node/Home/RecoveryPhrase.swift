package import Chat
package import NodeCore

/// Checks a recovery phrase typed by the user, and reports which word is wrong.
package enum RecoveryPhrase {
    /// The person's keys for a phrase of 12 or 24 words.
    package static func signer(of text: String) throws(NodeError) -> AccountSigner {
        AccountSigner(seed: try seed(entropy: try entropy(of: text)))
    }

    /// The error of a command that needs the phrase of an account, which this device does not have.
    package static func isNowhere(_ label: String) -> NodeError {
        NodeError(
            .notFound,
            "the recovery phrase of \(label) is not on this device: a device has it only while it waits to be written "
                + "down, and no device has it afterwards. If you have lost it, all works as before, but you can shut "
                + "no device out")
    }

    /// The entropy of a phrase of 12 or 24 words.
    static func entropy(of text: String) throws(NodeError) -> Secret {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 12 || words.count == 24 else {
            throw NodeError(.badPhrase, "a recovery phrase has 12 or 24 words, this one has \(words.count)")
        }
        do {
            return try Mnemonic(phrase: text).entropy
        } catch .unknownWord(let index, let nearest) {
            let typed = String(words[index].prefix(24))
            let meant = nearest.isEmpty ? "" : "; did you mean \(nearest.joined(separator: ", "))?"
            throw NodeError(.badPhrase, "word \(index + 1), `\(typed)`, is not in the list of words\(meant)")
        } catch {
            throw NodeError(
                .badPhrase,
                "each word is in the list, but together they are not a phrase: "
                    + "a word was replaced by another, or the order is wrong")
        }
    }

    /// The words for an account's entropy.
    package static func words(entropy: Secret) throws(NodeError) -> [String] {
        try mnemonic(entropy).words
    }

    /// The 64-byte seed from which the account's keys are derived (BIP-39 without a passphrase).
    static func seed(entropy: Secret) throws(NodeError) -> Secret {
        try mnemonic(entropy).seed()
    }

    private static func mnemonic(_ entropy: Secret) throws(NodeError) -> Mnemonic {
        do {
            return try Mnemonic(entropy: entropy)
        } catch {
            throw NodeError(.badIdentity, "the stored entropy makes no phrase: \(error)")
        }
    }
}
