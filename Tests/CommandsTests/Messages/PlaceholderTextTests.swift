import Testing

@testable import Commands
@testable import Node

@Suite struct PlaceholderTextTests {
    @Test(arguments: [
        "📤 Sent via another device", "  📤 Sent via another device ", "ðŸ“¤ Sent via another device",
        "\u{f0}\u{9f}\u{93}\u{a4} Sent via another device",
    ])
    func itsFormsAreKnown(_ body: String) {
        #expect(PlaceholderText("📤 Sent via another device").matches(body))
    }

    @Test(arguments: ["", " ", "Sent via another device", "📤 Sent via another device too", "📥 Sent via another device"])
    func othersAreBodies(_ body: String) {
        #expect(!PlaceholderText("📤 Sent via another device").matches(body))
    }

    @Test func anotherTextIsMisreadAlike() {
        let text = PlaceholderText("„später“ …")
        #expect(text.matches("„später“ …") && text.matches("â€žspÃ¤terâ€œ â€¦"))
        #expect(!text.matches("📤 Sent via another device"))
    }
}
