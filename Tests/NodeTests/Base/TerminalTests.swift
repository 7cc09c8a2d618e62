import Testing

@testable import Node

@Suite struct TerminalTests {
    /// All of Unicode's directional characters, and invisible marks.
    @Test func whatTurnsTextAroundIsShownAsASign() {
        for scalar in "\u{061C}\u{200E}\u{200F}\u{202A}\u{202E}\u{2066}\u{2069}\u{FEFF}\u{1B}\u{7F}".unicodeScalars {
            #expect(Terminal.harmless("a\(scalar)b") == "a\u{FFFD}b")
        }
        #expect(Terminal.harmless("a\nb\t👩\u{200D}👧") == "a b 👩\u{200D}👧")
    }

    /// A pile of marks on one letter would cover the lines around it.
    @Test func fewMarksStayOnALetter() {
        let heap = String(repeating: "\u{0335}", count: 500)
        #expect(Terminal.harmless("a\(heap)b").unicodeScalars.count == 6)
        #expect(Terminal.harmless("e\u{301}\u{302}") == "e\u{301}\u{302}")
    }

    @Test(
        arguments: [
            ("", 0), ("abc", 3), ("e\u{301}", 1), ("電話", 4), ("한국", 4), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("✅", 2),
            ("\u{200B}", 0),
            ("\u{301}", 0), ("عائشة", 5), ("Ｆｕｌｌ", 8),
        ] as [(String, Int)])
    func aTextFillsCells(text: String, cells: Int) {
        #expect(Terminal.width(text) == cells)
    }

    @Test func aLongTextIsCutAtACell() {
        #expect(Terminal.shortened("abcdef", to: 6) == "abcdef" && Terminal.shortened("abcdef", to: 5) == "abcd…")
        #expect(Terminal.shortened("電話番号", to: 6) == "電話…" && Terminal.shortened("電話", to: 1) == "…")
    }

    @Test func aLongWordIsBroken() {
        #expect(Terminal.wrapped("one abcdefghij two", columns: 4) == ["one", "abcd", "efgh", "ij", "two"])
        #expect(Terminal.wrapped("電話", columns: 1) == ["電", "話"])
        #expect(Terminal.wrapped("", columns: 4) == [""])
    }
}
