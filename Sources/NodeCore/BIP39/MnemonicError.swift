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
