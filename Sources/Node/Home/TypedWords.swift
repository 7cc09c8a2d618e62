package import NodeCore

/// Some words of a recovery phrase with their numbers, as a user types them: `3 abandon 17 zoo`. A word without a
/// number follows the one before it, so the whole phrase will do.
package struct TypedWords {
    /// The words by their numbers, from 1.
    private let words: [Int: String]

    /// How many different words are asked for.
    package static let least = 2

    /// - Throws: `bad-phrase` if they are fewer than two, or not words with numbers.
    package init(_ text: String) throws(NodeError) {
        var words: [Int: String] = [:]
        var number = 1
        for part in text.lowercased().split(whereSeparator: { $0.isWhitespace || $0 == ":" }) {
            if let given = UInt16(part) {
                number = Int(given)
            } else {
                words[number] = String(part)
                number += 1
            }
        }
        guard words.count >= Self.least else {
            throw NodeError(
                .badPhrase,
                "these must be at least two of the words with their numbers, such as `3 abandon 17 zoo`, or all of them"
            )
        }
        self.words = words
    }

    /// Different numbers of words to ask for, ascending.
    package static func numbers(of count: Int, random: inout some RandomSource) -> [Int] {
        var left = Array(1...count)
        return (0..<least).map { _ in left.remove(at: Int(random.next() % UInt64(left.count))) }.sorted()
    }

    /// - Throws: `bad-phrase` for the first one that is wrong. Neither word is in the message.
    func check(against phrase: [String]) throws(NodeError) {
        for (number, word) in words.sorted(by: { $0.key < $1.key }) {
            guard (1...phrase.count).contains(number) else {
                throw NodeError(.badPhrase, "the number of a word must be from 1 to \(phrase.count), not \(number)")
            }
            guard phrase[number - 1] == word else {
                throw NodeError(
                    .badPhrase,
                    """
                    word \(number) is wrong, so nothing was wiped\
                    \(advice: ": compare what you wrote down with `kachat-node account phrase`")
                    """)
            }
        }
    }
}
