/// The number of edits between two words, for "did you mean".
package enum EditDistance {
    /// The closest known word, if it is close enough to be the intended one: within a third of its letters, at least
    /// one. The hyphens before an option do not count as letters.
    package static func nearest(to word: String, in known: [String]) -> String? {
        var best: (word: String, distance: Int)?
        for candidate in known {
            let distance = between(Array(word.utf8), Array(candidate.utf8))
            guard distance <= max(1, candidate.drop { $0 == "-" }.utf8.count / 3) else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.word
    }

    /// ` (did you mean …?)`; empty if no known word is close.
    package static func suggestion(for word: String, in known: [String]) -> String {
        nearest(to: word, in: known).map { " (did you mean `\($0)`?)" } ?? ""
    }

    /// Optimal string alignment: an insertion, deletion, replacement or swap of neighbours counts as one edit.
    static func between(_ a: [UInt8], _ b: [UInt8]) -> Int {
        guard a.count <= 64, b.count <= 64 else { return Int.max }
        var before: [Int] = []
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
                row.append(cost)
            }
            before = last
            last = row
        }
        return last[b.count]
    }
}
