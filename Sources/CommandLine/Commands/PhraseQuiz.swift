import Node
import NodeCore
import SyncState

/// `account phrase --confirm`: asks for three words of the phrase in ascending order, on standard error, and reads them
/// from standard input.
struct PhraseQuiz {
    static let questions = 3

    let words: [String]
    /// Counted from 0, ascending.
    let places: [Int]

    init(words: [String], random: inout some RandomSource) {
        self.words = words
        var left = Array(words.indices)
        var places: [Int] = []
        while places.count < min(Self.questions, words.count) {
            places.append(left.remove(at: Int(random.next() % UInt64(left.count))))
        }
        self.places = places.sorted()
    }

    /// Nil if the word is right; otherwise the message, without the word itself.
    func complaint(_ given: String, at place: Int) -> String? {
        let word = given.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
        guard word != words[place] else { return nil }
        return "word \(place + 1) is wrong: nothing was confirmed; compare your copy with "
            + "`kachat-node account phrase`"
    }

    /// Asks on this process's streams.
    func ask(_ context: ToolContext) throws(NodeError) {
        for place in places {
            context.errors.line("Word \(place + 1) of \(words.count):")
            guard let given = readLine() else { throw NodeError(.failed, "no word was typed: nothing was confirmed") }
            if let complaint = complaint(given, at: place) { throw NodeError(.failed, complaint) }
        }
    }
}
