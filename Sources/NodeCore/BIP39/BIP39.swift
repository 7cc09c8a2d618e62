/// The English word list of BIP-39: looks words up and suggests corrections for misspelt ones.
package enum BIP39 {
    /// The numbers of words a phrase may have; accounts take 12 and 24 only.
    package static let wordCounts = [12, 15, 18, 21, 24]

    /// The 2,048 words in their order.
    package static var words: [String] { BIP39Words.all }

    /// The place of `word` (lowercase) in the list; nil if it is not in it.
    package static func index(of word: String) -> Int? {
        let words = BIP39Words.all
        var low = 0
        var high = words.count
        while low < high {
            let middle = (low + high) / 2
            if words[middle] < word { low = middle + 1 } else { high = middle }
        }
        return low < words.count && words[low] == word ? low : nil
    }

    /// Up to three suggestions for a misspelt word, likeliest first.
    ///
    /// Words that start with `word` come first (the first four letters of BIP-39's words are unique), then those at
    /// most two edits away; swapping two neighbouring letters counts as one edit.
    package static func nearest(to word: String) -> [String] {
        let typed = Array(word.utf8)
        guard typed.count <= Limits.mnemonicWordBytes else { return [] }
        let ranked = BIP39Words.all.enumerated().compactMap { index, candidate -> (rank: Int, index: Int)? in
            let letters = Array(candidate.utf8)
            if typed.count >= 2, letters.starts(with: typed) { return (0, index) }
            let distance = distance(typed, letters)
            return distance <= 2 ? (distance, index) : nil
        }
        return ranked.sorted { $0 < $1 }.prefix(3).map { BIP39Words.all[$0.index] }
    }

    /// The number of insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row.append(best)
            }
            beforeLast = last
            last = row
        }
        return last[right.count]
    }
}
