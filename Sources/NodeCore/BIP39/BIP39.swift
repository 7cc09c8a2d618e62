/// The English word list of BIP-39: looks words up and suggests corrections for misspelt ones.
package enum BIP39 {
    /// The numbers of words a phrase may have; accounts take 12 and 24 only.
    package static let wordCounts = [12, 15, 18, 21, 24]

    /// The place of `word` (lowercase) in the list; nil if it is not in it.
    package static func index(of word: String) -> Int? {
        let words = BIP39Words.all
        let place = words.partitioningIndex { $0 >= word }
        return place < words.count && words[place] == word ? place : nil
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
            let distance = EditDistance.between(typed, letters)
            return distance <= 2 ? (distance, index) : nil
        }
        return ranked.sorted { $0 < $1 }.prefix(3).map { BIP39Words.all[$0.index] }
    }
}
