import Testing

@testable import Node

@Suite struct CivilTimeTests {
    @Test(arguments: [
        (0, "1970-01-01 00:00"), (951_782_399_999, "2000-02-28 23:59"), (951_782_400_000, "2000-02-29 00:00"),
        (1_103_966_040_000, "2004-12-25 09:14"), (-1, "1969-12-31 23:59"), (4_102_444_800_000, "2100-01-01 00:00"),
    ])
    func dates(milliseconds: Int64, text: String) {
        #expect(CivilTime(milliseconds: milliseconds).text == text)
    }

    @Test func strangersTextDoesNotMoveTheCursor() {
        #expect(Terminal.harmless("a\u{1B}[2Jb\nc\u{202E}d\u{9B}") == "a\u{FFFD}[2Jb c\u{FFFD}d\u{FFFD}")
        #expect(Terminal.harmless("grüße 🦊\n", keepingNewlines: true) == "grüße 🦊\n")
    }
}
