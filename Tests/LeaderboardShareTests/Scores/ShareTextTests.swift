import Testing

@testable import LeaderboardShare

@Suite("Share texts") struct ShareTextTests {
    struct Sample: Sendable {
        let text: String
        let name: String
        let score: UInt32?
        let maximum: UInt32?
    }

    @Test(arguments: [
        Sample(text: "Wordle 1,234 3/6\n\n⬛🟨⬛⬛🟩\n🟩🟩🟩🟩🟩", name: "Wordle", score: 3, maximum: 6),
        Sample(text: "Wordle 1.234 X/6*", name: "Wordle", score: nil, maximum: 6),
        Sample(text: "Wordle 245 4/6", name: "Wordle", score: 4, maximum: 6),
        Sample(text: "#Worldle #871 2/6 (100%)\n🟩🟩🟩🟩🟩🎉", name: "Worldle", score: 2, maximum: 6),
        Sample(text: "nerdlegame 1'001 x/6", name: "nerdlegame", score: nil, maximum: 6),
        Sample(text: "Daily Quordle 12 7/9", name: "Daily Quordle", score: 7, maximum: 9),
        Sample(text: "Strands\nPuzzle #77\n2/3", name: "Strands", score: 2, maximum: 3),
        Sample(text: "Mini Crossword 1:23!", name: "Mini Crossword", score: 83, maximum: nil),
    ])
    func reads(sample: Sample) throws {
        let read = try #require(ShareText(sample.text))
        #expect(read.gameName == sample.name)
        #expect(read.score == sample.score && read.maxAttempts == sample.maximum)
    }

    @Test(arguments: [
        "", "hello", "3/6", "Wordle", "Wordle 1,234", "Wordle 7/6", "Wordle 1,234 -1/6", "Wordle 99999999999/6",
        "Wordle 3/0", "🟩 3/6", String(repeating: "x", count: 5_000) + " 3/6",
    ])
    func refuses(text: String) {
        #expect(ShareText(text) == nil)
    }
}
