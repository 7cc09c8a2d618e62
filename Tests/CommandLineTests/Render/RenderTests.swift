import Testing

@testable import CommandLine
@testable import Commands
@testable import Node

@Suite struct RenderTests {
    @Test(arguments: [
        (0, false, "No device of the account is in reach."), (1, false, "Asked 1 device in reach."),
        (1, true, "Caught up with 1 device in reach."), (3, true, "Caught up with 3 devices in reach."),
    ])
    func syncSaysWithWhom(peers: Int64, isCaughtUp: Bool, text: String) throws {
        let sentence = try #require(Render.sentence("sync"))
        #expect(sentence(.object(["peers": .number(peers), "caughtUp": .bool(isCaughtUp)])) == text)
    }

    private func progress(counting: Bool = false) -> JSONValue {
        .object([
            "bytesHere": .int(2_000_000), "bytesWanted": .int(1_000_000), "messagesHere": .int(26_000),
            "messagesWanted": .int(14_000), "bytesPerSecond": .int(250_000), "messagesPerSecond": .int(3_000),
            "secondsLeft": counting ? .null : .int(4), "counting": .bool(counting),
        ])
    }

    @Test func theBarFitsItsLine() {
        for columns in 1...140 {
            #expect(Render.bar(progress(), columns: columns).count <= columns)
            #expect(Render.bar(progress(counting: true), columns: columns).count <= columns)
        }
        let wide = Render.bar(progress())
        #expect(wide.hasPrefix("[####################..........]  66 %  26,000 of 40,000 messages, 3,000 a second ("))
        #expect(wide.hasSuffix(" left"))
        let usual = Render.bar(progress(), columns: 79)
        #expect(usual.contains("26,000 of 40,000 messages, ") && usual.hasSuffix(" left"))
        #expect(!usual.contains("a second"))
    }

    @Test func anAccountWithoutMessagesHasNoBar() {
        let nothing = JSONValue.object(["bytesHere": .int(0), "bytesWanted": .int(0), "counting": .bool(false)])
        #expect(Render.bar(nothing) == "no messages yet")
        #expect(Render.bar(nothing, columns: 4) == "no m")
    }

    /// A bar would go back, and the time that is left would not be true.
    @Test func thereIsNoBarWhileRecordsAreStillComing() {
        let text = Render.bar(progress(counting: true))
        #expect(text.hasPrefix("counting: 40,000 messages so far, 26,000 here, 3,000 a second ("))
        #expect(!text.contains("%") && !text.contains("left"))
    }

    /// All of Unicode's directional characters, and marks that are not seen.
    @Test func whatTurnsTextAroundIsShownAsASign() {
        for scalar in "\u{061C}\u{200E}\u{200F}\u{202A}\u{202E}\u{2066}\u{2069}\u{FEFF}\u{1B}\u{7F}".unicodeScalars {
            #expect(Terminal.harmless("a\(scalar)b") == "a\u{FFFD}b")
        }
        #expect(Terminal.harmless("a\nb\t👩\u{200D}👧") == "a b 👩\u{200D}👧")
    }
}
