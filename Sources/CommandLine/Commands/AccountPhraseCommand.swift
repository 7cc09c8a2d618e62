import Commands
import Node
import NodeCore
import SyncState

/// `account phrase`: needs the identity only, so it works while the node runs.
enum AccountPhraseCommand {
    static let spec = CommandSpec(
        "account phrase", summary: "Show the recovery phrase. Anyone with it controls the account.",
        examples: ["kachat-node account phrase", "kachat-node account phrase --confirm"],
        options: [
            .account,
            ParameterSpec(
                "--confirm", help: "ask for three of its words to check that it is written down; shows nothing"),
            ParameterSpec("--confirmed", help: "record that it is written down, without asking; shows nothing"),
        ])

    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let home = try context.initialisedHome()
        let identity = try IdentityFile.load(from: home)
        let names = identity.names(try identity.accountKeys())
        let name = context.accountCommand.text(ParameterSpec.account.name)
        guard let index = try names.index(named: name) else { throw AccountNames.none }
        guard case .phrase(let entropy) = identity.accounts[index].secret else {
            throw NodeError(.notFound, "this account was made from a wallet key, which has no phrase")
        }
        let words = try RecoveryPhrase.words(entropy: entropy)
        if context.command.has("--confirm") || context.command.has("--confirmed") {
            return try confirm(names.entries[index].id, words, home, context)
        }
        let phrase = words.joined(separator: " ")
        if context.command.isJSON {
            context.output.bufferedLine(JSONValue.object(["phrase": .string(phrase)]).encoded)
        } else {
            context.output.line(phrase)
        }
        return .done
    }

    /// Records that the phrase is written down: tested with three of its words, or on the user's word.
    private static func confirm(
        _ account: AccountID, _ words: [String], _ home: HomeFolder, _ context: ToolContext
    ) throws(NodeError) -> ExitStatus {
        if !context.command.has("--confirmed") {
            var random = SystemRandom()
            try PhraseQuiz(words: words, random: &random).ask(context)
        }
        try CareFile.change(home) { $0.confirm(account, at: context.clock.wall()) }
        if context.command.isJSON {
            let fields: [String: JSONValue] = ["accountId": .string(account.hex), "confirmed": .bool(true)]
            context.output.bufferedLine(JSONValue.object(fields).encoded)
        } else {
            context.output.line("The phrase is written down; `status` stops reminding you.")
        }
        return .done
    }
}
