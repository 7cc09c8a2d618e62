import Commands
import Node
import NodeCore

/// `account phrase`: needs the identity only, so it works while the node runs.
enum AccountPhraseCommand {
    static let spec = CommandSpec(
        "account phrase", summary: "Show a new account's recovery phrase, until it is confirmed as written down",
        examples: ["kachat-node account phrase", "kachat-node account phrase work --json"],
        places: [.account.placed("ACCOUNT")])

    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let phrase = try words(of: context.initialisedHome(), context).joined(separator: " ")
        if context.command.isJSON {
            context.output.bufferedLine(JSONValue.object(["phrase": .string(phrase)]).encoded)
        } else {
            context.output.line(phrase)
        }
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
