import Commands
import Glibc
import Node
import NodeCore
import SyncState

/// `init`: makes the home, its identity and the account's zone.
enum InitCommand {
    /// - Parameters:
    ///   - secret: what the account is made from, where it is known already.
    ///   - isWithHint: tells what to do next.
    static func run(
        _ context: ToolContext, secret: AccountSecret? = nil, isWithHint: Bool = true
    ) throws(NodeError) -> ExitStatus {
        let name = try NewHome.checked(name: context.command.text("--name") ?? HostName.current)
        // The secret first: nothing is written where it is wrong.
        let given = secret == nil ? try givenSecret(context) : secret
        let made = try NewHome.make(
            try context.home(), name: name, secret: given, version: context.command.number("--sync-key-version"),
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

    /// What the account is made from, where the user has it.
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

/// The options of `init` and `account import` that name a file with the account's secret.
enum AccountSecretOptions {
    /// The file, where one is given; both are a contradiction.
    static func path(in command: ParsedCommand) throws(NodeError) -> String? {
        let (phrase, key) = (command.text("--phrase-file"), command.text("--wallet-key"))
        if phrase != nil, key != nil {
            throw NodeError(.usage, "give --phrase-file or --wallet-key, not both")
        }
        return phrase ?? key
    }

    /// What the file at the path says, or standard input where that is `-`.
    static func text(of path: String, _ context: ToolContext) throws(NodeError) -> String {
        warnIfExposed(path, context)
        return try asking(context) { () throws(NodeError) in
            do throws(FileError) {
                return try Files.readText(path == "-" ? "/dev/stdin" : path, limit: Commands.Limits.phraseFileBytes)
            } catch {
                throw NodeError(.failed, "cannot read \(path): \(error.reason)")
            }
        }
    }

    /// Says so where other users of the machine can read the file.
    static func warnIfExposed(_ path: String, _ context: ToolContext) {
        guard path != "-", Files.isPlainFile(path), let mode = Files.mode(path), mode & 0o077 != 0 else { return }
        context.errors.complaint(
            "others on this machine can read \(path): delete it, or run `chmod 600 \(Program.quoted(path))`")
    }

    /// Reads what the options name. Where that is standard input and a terminal, the user is asked for it, and what is
    /// typed is not shown.
    static func asking<Result>(
        _ context: ToolContext, _ read: () throws(NodeError) -> Result
    ) throws(NodeError) -> Result {
        let options = [("--phrase-file", "the recovery phrase, all words in one line"), ("--wallet-key", "the key")]
        guard let asked = options.first(where: { context.command.text($0.0) == "-" }), isatty(STDIN_FILENO) == 1
        else { return try read() }
        context.errors.line("Type \(asked.1), which is not shown; then Return, and Ctrl-D:")
        return try HiddenInput.during(read)
    }
}
