import NodeCore
import SyncState
import Testing

@testable import Node

@Suite struct TypedWordsTests {
    private let phrase = (1...24).map { "word" + String($0) + "x" }

    @Test func takesTheWordsAsPeopleTypeThem() throws {
        for text in [
            "3 word3x 17 word17x", "17: WORD17X\n 3:  word3x\n", "3 word3x word4x", "word1x word2x",
            phrase.joined(separator: " "), "23 word23x word24x",
        ] {
            try TypedWords(text).check(against: phrase)
        }
    }

    @Test(arguments: ["", "word1x", "3 word3x", "3 word3x 3 word3x", "1 2 3", "abandon\n"])
    func tooFewAreRefused(text: String) {
        let error = #expect(throws: NodeError.self) { try TypedWords(text) }
        #expect(error?.code == .badPhrase)
        #expect(error?.message.contains("at least two") == true)
    }

    @Test(arguments: [
        ("3 word3x 17 word18x", "word 17 is wrong"), ("24 word24x word25x", "from 1 to 24, not 25"),
        ("0 word0x 1 word1x", "from 1 to 24, not 0"), ("65535 a b", "from 1 to 24, not 65535"),
        ("1 word1x 99999999999999999999 b", "word 2 is wrong"),
    ])
    func wrongOnesAreNamedByTheirNumber(text: String, complaint: String) {
        let error = #expect(throws: NodeError.self) { try TypedWords(text).check(against: phrase) }
        #expect(error?.message.contains(complaint) == true)
        // Neither the word that was typed nor the right one is shown.
        #expect(error?.message.contains("word17x") == false && error?.message.contains("word18x") == false)
    }

    @Test func asksForTwoDifferentWordsInOrder() {
        var random = SystemRandom()
        var seen: Set<[Int]> = []
        for _ in 0..<200 {
            let numbers = TypedWords.numbers(of: 24, random: &random)
            #expect(numbers.count == 2 && numbers[0] < numbers[1])
            #expect(numbers.allSatisfy { (1...24).contains($0) })
            seen.insert(numbers)
        }
        #expect(seen.count > 20)
    }
}
