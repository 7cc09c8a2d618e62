import Commands
import Glibc
import Node
import NodeCore

/// Asks at the terminal for two words of a new recovery phrase, at random places, until they are right or the user puts
/// it off.
struct PhraseQuestions {
    let context: ToolContext
    /// The number of words of the phrase.
    let count: Int

    /// True if there is somebody to ask.
    static func canAsk(_ context: ToolContext) -> Bool {
        !context.command.isJSON && isatty(STDIN_FILENO) == 1 && context.output.isTerminal
    }

    /// - Parameter isRight: takes two numbers with words, and tells the user if they are wrong.
    /// - Returns: false if the user put it off.
    func ask(_ isRight: (String) throws(NodeError) -> Bool) throws(NodeError) -> Bool {
        var random = SystemRandom()
        for _ in 0..<Limits.attempts {
            var typed: [String] = []
            for number in TypedWords.numbers(of: count, random: &random) {
                context.output.raw("Word \(number) (or Return, to do it later): ")
                let word = (readLine() ?? "").filter { !$0.isWhitespace }
                guard !word.isEmpty else { return false }
                typed.append("\(number) \(word)")
            }
            if try isRight(typed.joined(separator: " ")) { return true }
        }
        return false
    }
}
