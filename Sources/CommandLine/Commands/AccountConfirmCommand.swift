import Commands
import Node
import NodeCore

/// `account confirm`: asks at the terminal, or reads a file; the node that has the home checks the words and wipes
/// them.
enum AccountConfirmCommand {
    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let home = try context.initialisedHome()
        // Nobody is asked in vain.
        let words = try AccountPhraseCommand.words(of: home, context)
        if let path = context.command.text("--words-file") {
            return try send(try AccountSecretOptions.text(of: path, context), home, context)
        }
        guard PhraseQuestions.canAsk(context) else {
            throw NodeError(
                .usage, "`account confirm` asks two of the words at a terminal; without one, give --words-file F")
        }
        context.output.line("Look at what you wrote down, and type these two words of your recovery phrase.")
        let isDone = try PhraseQuestions(context: context, count: words.count).ask { typed throws(NodeError) in
            try send(typed, home, context) == .done
        }
        guard !isDone else { return .done }
        context.errors.complaint("nothing was wiped: `\(context.program) account phrase` shows the words again")
        return .failed
    }

    private static func send(
        _ typed: String, _ home: HomeFolder, _ context: ToolContext
    ) throws(NodeError) -> ExitStatus {
        var request = Invocation(context.accountCommand)
        request.arguments["--words-file"] = nil
        request.arguments["--words"] = [typed]
        let asked = try CommandRequest(request)
        return try NodeCommand.exchange(request, input: nil, home, context) { client in
            guard !context.command.isJSON else { return }
            client.render = asked.answer.shows
            if context.command.isQuiet { client.render = { _, _ in } }
        }
    }
}
