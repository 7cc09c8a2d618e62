import Commands
import Node
import NodeCore

/// `account phrase`: needs the identity only, so it works while the node runs.
enum AccountPhraseCommand {
    static let spec = CommandSpec(
        "account phrase", summary: "Show a new account's recovery phrase, until it is confirmed as written down",
        examples: ["", "work --json"],
        parameters: [.account.placed("ACCOUNT")])

    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let phrase = try words(of: context.initialisedHome(), context).joined(separator: " ")
        context.show(["phrase": .string(phrase)]) { context.output.line(phrase) }
        return .done
    }

    /// The words of the account that the command names.
    ///
    /// - Throws: `not-found` if they are not on this device.
    static func words(of home: HomeFolder, _ context: ToolContext) throws(NodeError) -> [String] {
        let identity = try IdentityFile.load(from: home)
        let name = context.accountCommand.text(ParameterSpec.account.name)
        guard let index = try identity.names.index(named: name) else { throw AccountNames.none }
        let account = identity.accounts[index]
        guard let phrase = account.phrase else { throw RecoveryPhrase.isNowhere(account.label) }
        return try RecoveryPhrase.words(entropy: phrase)
    }
}

/// `account confirm`: asks at the terminal, or reads a file; the node that has the home checks the words and wipes
/// them.
enum AccountConfirmCommand {
    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let home = try context.initialisedHome()
        // Looked up first, so that nobody is asked in vain.
        let words = try AccountPhraseCommand.words(of: home, context)
        if let path = context.command.text("--words-file") {
            return try send(try AccountSecretOptions.text(of: path, context), home, context)
        }
        guard PhraseQuestions.canAsk(context) else {
            throw NodeError(
                .usage, "`account confirm` asks two of the words at a terminal; without one, give --words-file F")
        }
        context.output.line("Look at what you wrote down, and type these two words of your recovery phrase.")
        guard try !ask(words.count, home, context) else { return .done }
        context.errors.complaint("nothing was wiped: `\(context.program) account phrase` shows the words again")
        return .failed
    }

    /// `account renew`, whose new words are asked back at once, if there is somebody to ask.
    static func renew(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let home = try context.initialisedHome()
        let status = try NodeCommand.run(context)
        // The new account has taken the place, and the label, of the old one.
        guard status == .done, PhraseQuestions.canAsk(context),
            let words = try? AccountPhraseCommand.words(of: home, context)
        else { return status }
        context.output.line("\nWhen you have written it down, type two of the words. Then this device wipes them.")
        if try !ask(words.count, home, context) {
            context.output.line(
                "\nThe words stay here until `\(context.program) account confirm` has asked for two of them.")
        }
        return status
    }

    /// - Returns: whether they were right, and are wiped.
    private static func ask(_ count: Int, _ home: HomeFolder, _ context: ToolContext) throws(NodeError) -> Bool {
        try PhraseQuestions(context: context, count: count).ask { typed throws(NodeError) in
            try send(typed, home, context) == .done
        }
    }

    private static func send(
        _ typed: String, _ home: HomeFolder, _ context: ToolContext
    ) throws(NodeError) -> ExitStatus {
        let account = context.accountCommand.text(ParameterSpec.account.name)
        var request = Invocation(command: "account confirm", arguments: ["--words": [typed]])
        request.arguments[ParameterSpec.account.name] = account.map { [$0] }
        let asked = try CommandRequest(request)
        return try NodeCommand.exchange(request, input: nil, home, context) { client in
            guard !context.command.isJSON else { return }
            client.render = asked.answer.shows
            if context.command.isQuiet { client.render = { _, _ in } }
        }
    }
}
