import Testing

@testable import Chat

/// Which words find which text.
@Suite struct SearchQueryTests {
    private func finds(_ words: String, _ text: String) throws -> Bool { try SearchQuery(words).matches(text) }

    @Test(arguments: [
        ("hello", "Well, HELLO there"), ("HELLO there", "there: hello"), ("ell", "hello"),
        ("angstrom", "Ångström"), ("ÅNGSTRÖM", "angstrom"), ("angstrom", "A\u{30A}ngstro\u{308}m"),
        ("łódź", "LODZ"), ("istanbul", "İSTANBUL"), ("ısparta", "Isparta"), ("όδος", "ΟΔΟΣ"), ("ΣΊΣΥΦΟΣ", "Σίσυφος"),
        ("елка", "Ёлка"), ("й", "И\u{306}"), ("ПРИВЕТ", "привет"), ("ﬀ", "ﬀ"), ("straße", "STRAßE"), ("ｆｕｌｌ", "ＦＵＬＬ"),
        ("東京", "私は東京に住む"), ("👍", "ok 👍🏽"), ("k", "\u{212A}elvin"), ("soft", "so\u{AD}ft"),
        ("Việt", "viet nam"), ("\"two words\"", "the Two Words stand"), ("“two words”", "two\twords"), ("𐐔", "𐐼"),
    ]) func found(_ words: String, _ text: String) throws {
        #expect(try finds(words, text))
    }

    @Test(arguments: [
        ("hello there", "hello"), ("\"two words\"", "words two"), ("д", "л"), ("ae", "æ"), ("ss", "ß"),
        ("hello", ""), ("\"a b\"", "a  b"), ("é\u{301}x", "e"), ("Ĝ", "c"),
    ]) func notFound(_ words: String, _ text: String) throws {
        #expect(try !finds(words, text))
    }

    @Test func nothingAndTooMuch() {
        for text in ["", "  ", "\"\"", "\u{301}", "\" \" \t"] {
            #expect(throws: SearchQueryError.empty) { try SearchQuery(text) }
        }
        let many = (0...Limits.searchTerms).map { "w\($0)" }.joined(separator: " ")
        #expect(throws: SearchQueryError.tooManyTerms(17)) { try SearchQuery(many) }
        let long = String(repeating: "x", count: Chat.Limits.searchTermBytes + 1)
        #expect(throws: SearchQueryError.termTooLong(bytes: 1_025)) { try SearchQuery(long) }
        #expect(throws: Never.self) { try SearchQuery(String(long.dropLast())) }
    }

    @Test func wordsAreLookedForOnce() throws {
        #expect(try SearchQuery("a A á \"a\"").terms == [[0x61]])
        #expect(try SearchQuery("b \"c d\" a").terms.map { String(decoding: $0, as: UTF8.self) } == ["c d", "a", "b"])
    }

    /// Bytes that are not UTF-8 stay as they are, and do not affect the text around them.
    @Test(arguments: 0..<200) func anyBytes(seed: UInt64) throws {
        var random = SeededRandomBytes(seed)
        let bytes = random.bytes(Int(seed % 40))
        let text = Array("Vor".utf8) + bytes + Array("NACH".utf8)
        let folded = Self.folded(text)
        #expect(folded.starts(with: "vor".utf8) && folded.reversed().starts(with: "hcan".utf8))
        // Folding is idempotent, except that dropping a mark may join stray bytes into a character.
        if String(validating: text, as: UTF8.self) != nil { #expect(Self.folded(folded) == folded) }
    }

    private static func folded(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        let count = text.withUnsafeBytes { SearchFold.fold($0, into: &output) }
        return Array(output[..<count])
    }
}

/// Random bytes, many of which begin or continue a character.
private struct SeededRandomBytes {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return [0x41, 0x80, 0xC3, 0xCC, 0xE2, 0xF0, 0xFF, UInt8(truncatingIfNeeded: state >> 9)][Int(state % 8)]
        }
    }
}
