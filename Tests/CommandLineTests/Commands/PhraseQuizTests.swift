import NodeCore
import Testing

@testable import CommandLine
@testable import Commands
@testable import Node

@Suite struct PhraseQuizTests {
    private let words = (1...24).map { "word\($0)" }

    @Test func asksForThreeDifferentPlacesInOrder() {
        var random = SystemRandom()
        var seen: Set<[Int]> = []
        for _ in 0..<50 {
            let quiz = PhraseQuiz(words: words, random: &random)
            #expect(Set(quiz.places).count == 3)
            #expect(quiz.places == quiz.places.sorted())
            seen.insert(quiz.places)
        }
        #expect(seen.count > 1)
    }

    @Test func takesTheWordAsPeopleTypeIt() {
        var random = SystemRandom()
        let quiz = PhraseQuiz(words: words, random: &random)
        #expect(quiz.complaint(" WORD7 ", at: 6) == nil)
        let complaint = quiz.complaint("word8", at: 6)
        #expect(complaint?.hasPrefix("word 7 is wrong") == true)
        #expect(complaint?.contains("word7") == false)
    }
}
