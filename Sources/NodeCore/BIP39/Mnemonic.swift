/// A recovery phrase (BIP-39, English): entropy that people can write down.
package struct Mnemonic: Sendable {
    /// 16, 20, 24, 28 or 32 bytes.
    package let entropy: Secret

    package init(entropy: Secret) throws(MnemonicError) {
        guard [16, 20, 24, 28, 32].contains(entropy.count) else { throw .wrongEntropySize(entropy.count) }
        self.entropy = entropy
    }

    /// Reads a phrase as a person types it: any case, any white space around the words.
    package init(phrase: String) throws(MnemonicError) {
        let words = phrase.split(whereSeparator: \.isWhitespace)
        guard BIP39.wordCounts.contains(words.count) else { throw .wrongWordCount(words.count) }
        let entropyCount = words.count / 3 * 4
        // Eleven bits per word: the entropy, followed by a checksum of one bit for each 32 bits of entropy.
        var checksum: UInt32 = 0
        entropy = try Secret(count: entropyCount) { output throws(MnemonicError) in
            var bits: UInt32 = 0
            var bitCount = 0
            var filled = 0
            for (position, word) in words.enumerated() {
                let typed = Self.lowercased(word)
                guard let index = BIP39.index(of: typed) else {
                    throw .unknownWord(index: position, nearest: BIP39.nearest(to: typed))
                }
                bits = bits << 11 | UInt32(index)
                bitCount += 11
                while bitCount >= 8, filled < entropyCount {
                    bitCount -= 8
                    output[filled] = UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
                    filled += 1
                }
                bits &= 1 << UInt32(bitCount) - 1
            }
            checksum = bits
        }
        guard checksum == Self.checksum(of: entropy) else { throw .wrongChecksum }
    }

    /// The words of the list, in order.
    package var words: [String] {
        let list = BIP39Words.all
        let checksumBits = entropy.count / 4
        return entropy.withUnsafeBytes { entropy in
            var words: [String] = []
            var bits: UInt32 = 0
            var bitCount = 0
            func take() {
                while bitCount >= 11 {
                    bitCount -= 11
                    words.append(list[Int(bits >> UInt32(bitCount) & 0x7FF)])
                }
            }
            for byte in entropy {
                // Two words of leftover bits are never kept, so 32 bits suffice.
                bits = bits << 8 | UInt32(byte)
                bitCount += 8
                take()
            }
            bits = bits << UInt32(checksumBits) | Self.checksum(of: self.entropy)
            bitCount += checksumBits
            take()
            return words
        }
    }

    /// The words with one blank between them.
    package var phrase: String { words.joined(separator: " ") }

    /// The 64-byte seed: PBKDF2-HMAC-SHA512 with 2,048 rounds, salted with "mnemonic" and the passphrase.
    ///
    /// BIP-39 requires the passphrase in Unicode's NFKD form. Its bytes are used as given, so callers that accept
    /// non-ASCII passphrases must normalise them first.
    package func seed(passphrase: String = "") -> Secret {
        PBKDF2.deriveSHA512(
            password: Secret(bytes: Array(phrase.utf8)), salt: Array("mnemonic".utf8) + Array(passphrase.utf8),
            rounds: 2_048)
    }

    /// The first bits of the entropy's SHA-256, one for each 32 bits of entropy.
    private static func checksum(of entropy: Secret) -> UInt32 {
        let hash = entropy.withUnsafeBytes { SHA256.hash($0) }
        return UInt32(hash.w0 >> UInt64(64 - entropy.count / 4))
    }

    /// Lowercases ASCII letters only; words with other characters will not be found in the list.
    private static func lowercased(_ word: Substring) -> String {
        String(decoding: word.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

/// Why a recovery phrase or its entropy is invalid. Reveals nothing of the phrase except entries of the public word
/// list.
package enum MnemonicError: Error, Equatable, Sendable {
    /// A phrase has 12, 15, 18, 21 or 24 words.
    case wrongWordCount(Int)
    /// The word at `index` (from 0) is not in the list; `nearest` holds up to three suggestions.
    case unknownWord(index: Int, nearest: [String])
    /// Every word is in the list, but the checksum fails: a word is wrong, or the order is.
    case wrongChecksum
    /// Entropy has 16, 20, 24, 28 or 32 bytes.
    case wrongEntropySize(Int)
}
