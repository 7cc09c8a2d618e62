import Testing

@testable import Node

@Suite struct TerminalTests {
    /// All of Unicode's directional characters, and marks that are not seen.
    @Test func whatTurnsTextAroundIsShownAsASign() {
        for scalar in "\u{061C}\u{200E}\u{200F}\u{202A}\u{202E}\u{2066}\u{2069}\u{FEFF}\u{1B}\u{7F}".unicodeScalars {
            #expect(Terminal.harmless("a\(scalar)b") == "a\u{FFFD}b")
        }
        #expect(Terminal.harmless("a\nb\t👩\u{200D}👧") == "a b 👩\u{200D}👧")
    }
}
