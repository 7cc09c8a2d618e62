import Node

/// Questions on the terminal.
struct SetupDialogue {
    let output: Output

    func say(_ lines: String...) { for line in lines { say(line, after: "") } }

    /// A text that does not fit the terminal goes on below, as far to the right as it begins.
    private func say(_ text: String, after start: String) {
        var start = start
        for line in Terminal.wrapped(text, columns: max(Limits.leastColumns, output.columns - start.count)) {
            output.line(start + line)
            start = String(repeating: " ", count: start.count)
        }
    }

    private func read() throws(NodeError) -> String {
        output.raw("> ")
        guard let line = readLine() else { throw NodeError(.failed, "nothing was set up") }
        return line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// One of several answers, chosen by number.
    func choose<Answer>(_ question: String, _ answers: [(Answer, String)]) throws(NodeError) -> Answer {
        say(question)
        for (index, answer) in answers.enumerated() { say(answer.1, after: "   \(index + 1)  ") }
        for _ in 0..<Limits.attempts {
            if let number = Int(try read()), answers.indices.contains(number - 1) { return answers[number - 1].0 }
            say("Type a number from 1 to \(answers.count).")
        }
        throw NodeError(.failed, "nothing was set up")
    }

    /// The device's name; an empty line takes the usual one.
    func name(_ question: String, usual: String) throws(NodeError) -> String {
        say("\(question) Press Return for `\(Terminal.harmless(usual))`.")
        for _ in 0..<Limits.attempts {
            let answer = try read()
            if answer.utf8.count <= Node.Limits.deviceNameBytes { return answer.isEmpty ? usual : answer }
            say("A name has at most \(Node.Limits.deviceNameBytes) bytes. Try again:")
        }
        throw NodeError(.failed, "nothing was set up")
    }

    /// The words of a recovery phrase; explains errors and asks again.
    func phrase() throws(NodeError) -> AccountAddition {
        say("Type the recovery phrase, all words on one line. It is not shown:")
        for _ in 0..<Limits.attempts {
            do {
                let typed = try HiddenInput.during(read)
                return try AccountAddition(phrase: typed)
            } catch  where error.code == .badPhrase {
                say("\(error.message). Try again:")
            }
        }
        throw NodeError(.failed, "nothing was set up")
    }
}
