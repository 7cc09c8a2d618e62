/// The way to call the program for one home. Advice that names a command includes everything needed, so that it acts on
/// the right home and account wherever it is pasted.
package struct Program: Sendable, Equatable {
    /// `kachat-node`, with `--home` if that would otherwise be another home.
    package let text: String

    /// The program as the user called it.
    ///
    /// - Parameter flag: the value of `--home`; nil if none was given.
    package init(flag: String?) {
        text = "kachat-node" + (flag.map { " --home " + Self.quoted($0) } ?? "")
    }

    /// A command in backticks: `kachat-node --home /tmp/two account resume --account work`.
    ///
    /// - Parameter account: its label; nil if there is only one.
    package func command(_ words: String, account: String? = nil) -> String {
        "`\(text) \(words)" + (account.map { " --account " + Self.quoted($0) } ?? "") + "`"
    }

    /// Adds the home to commands in our own texts, written as `kachat-node …` in backticks.
    package func complete(_ message: String) -> String {
        guard text != "kachat-node", message.contains("`kachat-node ") else { return message }
        return message.replacing("`kachat-node --home ", with: "`\u{0} ")
            .replacing("`kachat-node ", with: "`\(text) ")
            .replacing("`\u{0} ", with: "`kachat-node --home ")
    }

    /// A word quoted for any shell.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"'\"\\$`*?[]<>|&;()#~!{}=%^".utf8.contains($0) }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}

extension NodeError {
    /// The same error, with commands in its advice written for `program`.
    package func advising(_ program: Program?) -> NodeError {
        program.map { program in NodeError(code, sentence.map(program.complete)) } ?? self
    }
}
