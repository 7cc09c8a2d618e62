import Commands
import Glibc
import Node
import NodeCore
import SyncState

/// `init`: creates the home, its identity and the account's zone.
enum InitCommand {
    static let spec = CommandSpec(
        "init", summary: "Set up this device: with a new account, or one whose phrase or key you have",
        examples: [
            "kachat-node init --name laptop",
            "kachat-node init --name phone --phrase-file phrase.txt",
            "kachat-node init --phrase-file - < phrase.txt",
            "kachat-node init --wallet-key key.hex",
        ],
        options: [
            ParameterSpec(
                "--name", .line("N", bytes: Node.Limits.deviceNameBytes),
                help: "this device's name on your other devices")
        ] + AccountSecretParameters.all)

    /// - Parameters:
    ///   - secret: the account's secret, if already known.
    ///   - isWithHint: shows the next step.
    static func run(
        _ context: ToolContext, secret: AccountSecret? = nil, isWithHint: Bool = true
    ) throws(NodeError) -> ExitStatus {
        let name = try NewHome.checked(name: context.command.text("--name") ?? HostName.current)
        // Read the secret first: if it is wrong, nothing is written.
        let given = secret == nil ? try givenSecret(context) : secret
        let made = try NewHome.make(
            try context.home(), name: name, secret: given,
            clock: context.clock, environment: context.environment)
        defer { made.node.close() }
        try show(made.node, made.account, newPhrase: made.newPhrase, isWithHint, context)
        context.output.flush()
        guard made.newPhrase == nil || context.output.isOpen else {
            throw NodeError(
                .failed,
                "the account was created, but its recovery phrase could not be shown: "
                    + "`\(context.program) account phrase` shows it")
        }
        return .done
    }

    /// The account's secret, if the user gave one.
    private static func givenSecret(_ context: ToolContext) throws(NodeError) -> AccountSecret? {
        let command = context.command
        guard let path = try AccountSecretOptions.path(in: command) else { return nil }
        let text = try AccountSecretOptions.text(of: path, context)
        return command.has("--wallet-key")
            ? .root(try WalletKey.key(of: text)) : .phrase(entropy: try RecoveryPhrase.entropy(of: text))
    }

    private static func show(
        _ node: LocalNode, _ made: NodeAccount, newPhrase: Secret?, _ isWithHint: Bool, _ context: ToolContext
    ) throws(NodeError) {
        let words = try newPhrase.map { entropy throws(NodeError) in try RecoveryPhrase.words(entropy: entropy) }
        let device = made.zone.lane.hex
        let account = made.accountID.hex
        if context.command.isJSON {
            var fields: [String: JSONValue] = ["deviceId": .string(device), "accountId": .string(account)]
            if let words { fields["phrase"] = .string(words.joined(separator: " ")) }
            context.output.bufferedLine(JSONValue.object(fields).encoded)
            return
        }
        context.output.line(
            "account \(account)\ndevice  \(device) (\(node.identity.deviceName))\nhome    \(node.home.path)")
        if let words { context.output.line(PhraseText.explanation(words, program: context.program)) }
        guard isWithHint else { return }
        context.output.line("\nNext: `\(context.program) run` keeps this device in sync with the others.")
    }
}
