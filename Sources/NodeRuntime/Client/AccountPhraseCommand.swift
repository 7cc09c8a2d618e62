import SyncState

/// `account phrase`: needs the identity only, so it works while the node runs.
enum AccountPhraseCommand {
    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let identity = try IdentityFile.load(from: try context.initialisedHome())
        let names = identity.names(try identity.accountKeys())
        let name = context.accountCommand.text(OptionSpec.account.name)
        guard let index = try names.index(named: name) else { throw AccountNames.none }
        guard case .phrase(let entropy) = identity.accounts[index].secret else {
            throw NodeError(.notFound, "this account comes from a wallet's key, which has no phrase")
        }
        let phrase = try RecoveryPhrase.words(entropy: entropy).joined(separator: " ")
        if context.command.isJSON {
            context.output.bufferedLine(JSONValue.object(["phrase": .string(phrase)]).encoded)
        } else {
            context.output.line(phrase)
        }
        return .done
    }
}
