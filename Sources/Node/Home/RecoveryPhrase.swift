package import NodeCore

/// Checks a recovery phrase typed by the user, and reports which word is wrong.
package enum RecoveryPhrase {
    /// The entropy of a phrase of 12 or 24 words.
    package static func entropy(of text: String) throws(NodeError) -> Secret {
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
    package static func seed(entropy: Secret) throws(NodeError) -> Secret {
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

/// A wallet app's old key as typed by the user: 32 bytes in hexadecimal.
package enum WalletKey {
    package static func key(of text: String) throws(NodeError) -> Secret {
        let digits = text.filter { !$0.isWhitespace }
        guard digits.utf8.count == 64, let bytes = Hex.decode(digits) else {
            throw NodeError(.badPhrase, "a wallet key has 32 bytes: 64 hexadecimal digits")
        }
        guard bytes.contains(where: { $0 != 0 }), bytes.lexicographicallyPrecedes(order) else {
            throw NodeError(
                .badPhrase,
                "these 32 bytes are not a wallet key, which is a number from 1 up to the order of secp256k1: copy the "
                    + "key from the wallet again")
        }
        return Secret(bytes: bytes)
    }

    /// The order of the group of secp256k1 (SEC 2, version 2, §2.4.1).
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE,
        0xBA, 0xAE, 0xDC, 0xE6, 0xAF, 0x48, 0xA0, 0x3B, 0xBF, 0xD2, 0x5E, 0x8C, 0xD0, 0x36, 0x41, 0x41,
    ]
}
