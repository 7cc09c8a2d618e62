/// Why a recovery phrase or its entropy is not valid. Carries nothing of the phrase but what the list itself says.
package enum MnemonicError: Error, Equatable, Sendable {
    /// A phrase has 12, 15, 18, 21 or 24 words.
    case wrongWordCount(Int)
    /// The word at `index` (from 0) is not in the list; `nearest` are up to three that may have been meant.
    case unknownWord(index: Int, nearest: [String])
    /// All words are known, but they do not belong together: one is wrong, or the order is.
    case wrongChecksum
    /// Entropy has 16, 20, 24, 28 or 32 bytes.
    case wrongEntropySize(Int)
}
