/// The text that games put on the clipboard, such as `Wordle 1,234 3/6`.
///
/// A name, the puzzle's number (with or without `#` and thousands separators), then the result out of the maximum, with
/// X for a failed one, or a time as minutes and seconds. They may be on different lines; everything else is decoration.
package struct ShareText: Hashable, Sendable {
    package let gameName: String
    /// Nil if it was not completed.
    package let score: UInt32?
    /// Nil for times.
    package let maxAttempts: UInt32?

    /// Nil if no result is found.
    package init?(_ text: String) {
        guard text.utf8.count <= Limits.shareTextBytes else { return nil }
        let lines = text.split(whereSeparator: \.isNewline).prefix(8)
        let words = lines.flatMap { $0.split(whereSeparator: \.isWhitespace) }.map(String.init)
        guard let place = words.firstIndex(where: { Self.result($0) != nil }), let result = Self.result(words[place])
        else { return nil }
        var name: [String] = []
        for word in words[..<place] {
            // The words after the number do not belong to the name.
            if Self.isNumber(word) { break }
            let clean = Self.name(word)
            if clean.isEmpty || ["puzzle", "no.", "nr.", "in"].contains(clean.lowercased()) { continue }
            name.append(clean)
        }
        let joined = name.joined(separator: " ")
        guard GroupTitle.isAcceptable(title: joined) else { return nil }
        gameName = joined
        (score, maxAttempts) = result
    }

    /// `3/6`, `X/6`, `4/6*`, `1:23`, `1:23!`; nil for anything else.
    private static func result(_ word: String) -> (score: UInt32?, maximum: UInt32?)? {
        var word = Substring(word)
        while let last = word.last, "*!.,;)".contains(last) { word.removeLast() }
        while let first = word.first, "(".contains(first) { word.removeFirst() }
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let maximum = digits(parts[1]), maximum > 0, maximum <= Limits.maxAttempts {
            if ["x", "-"].contains(parts[0].lowercased()) { return (nil, maximum) }
            guard let used = digits(parts[0]), used <= maximum else { return nil }
            return (used, maximum)
        }
        let clock = word.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 2, let minutes = digits(clock[0]), minutes < 1_440, clock[1].utf8.count == 2,
            let seconds = digits(clock[1]), seconds < 60
        else { return nil }
        return (minutes * 60 + seconds, nil)
    }

    /// `1234`, `#1234`, `1,234`, `1.234`, `1'234`.
    private static func isNumber(_ word: String) -> Bool {
        var word = Substring(word)
        if word.first == "#" { word.removeFirst() }
        while let last = word.last, ":,.".contains(last) { word.removeLast() }
        let parts = word.split(omittingEmptySubsequences: false) { ",.'’".contains($0) }
        guard let first = parts.first, !first.isEmpty else { return false }
        guard parts.dropFirst().allSatisfy({ $0.utf8.count == 3 }), parts.count == 1 || first.utf8.count <= 3 else {
            return false
        }
        return digits(Substring(parts.joined())) != nil
    }

    /// One to seven decimal digits.
    private static func digits(_ text: Substring) -> UInt32? {
        guard (1...7).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return UInt32(text)
    }

    /// The word without decoration: letters, digits and what joins them.
    private static func name(_ word: String) -> String {
        let kept = word.filter { $0.isLetter || $0.isNumber || "-'&+.".contains($0) }
        return kept.contains { $0.isLetter || $0.isNumber } ? kept : ""
    }
}
