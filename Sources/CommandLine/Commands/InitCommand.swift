import Commands
import Glibc
import Node
import NodeCore

/// `init`: creates the home, its identity and the account's zone.
enum InitCommand {
    static let spec = CommandSpec(
        "init", summary: "Set up this device: with a new account, or one whose phrase or key you have",
        examples: [
            "--name laptop", "--name phone --phrase-file phrase.txt", "--phrase-file - < phrase.txt",
            "--wallet-key key.hex",
        ],
        parameters: [
            ParameterSpec(
                "--name", .line("N", bytes: Node.Limits.deviceNameBytes),
                help: "this device's name on your other devices")
        ] + SignerParameters.all)

    /// - Parameters:
    ///   - account: the account, if already known.
    ///   - isWithHint: shows the next step.
    static func run(
        _ context: ToolContext, account given: AccountAddition? = nil, isWithHint: Bool = true
    ) throws(NodeError) -> ExitStatus {
        let name = try NewHome.checked(name: context.command.text("--name") ?? HostName.current)
        // Read the phrase first: if it is wrong, nothing is written.
        let given = given == nil ? try AccountSecretOptions.account(context) : given
        let node = try NewHome.make(
            try context.home(), name: name, given, clock: context.clock,
            environment: context.environment)
        defer { node.close() }
        let account = node.accounts[0]
        let words = try node.phrase(of: account)
        show(node, account, words, context)
        context.output.flush()
        guard words == nil || context.output.isOpen else {
            throw NodeError(
                .failed,
                "the account was created, but its recovery phrase could not be shown: "
                    + "`\(context.program) account phrase` shows it")
        }
        if let words, !context.command.isJSON { try confirm(words.count, node, context) }
        if isWithHint, !context.command.isJSON {
            context.output.line("\nNext: `\(context.program) run` keeps this device in sync with the others.")
        }
        return .done
    }

    /// Asks for two of the words, if there is somebody to ask.
    private static func confirm(_ count: Int, _ node: LocalNode, _ context: ToolContext) throws(NodeError) {
        let output = context.output
        var isDone = false
        if PhraseQuestions.canAsk(context) {
            output.line("\nWhen you have written it down, type two of the words. Then this device wipes them.")
            isDone = try PhraseQuestions(context: context, count: count).ask { typed throws(NodeError) in
                do throws(NodeError) {
                    try node.confirm(try TypedWords(typed), at: 0)
                    return true
                } catch  where error.code == .badPhrase {
                    context.errors.complaint(error.advising(Program(flag: context.command.home)).message)
                    return false
                }
            }
        }
        output.line(
            isDone
                ? "Right. The words are wiped: no device has them now."
                : "\nThe words stay here until `\(context.program) account confirm` has asked for two of them.")
    }

    private static func show(_ node: LocalNode, _ made: NodeAccount, _ words: [String]?, _ context: ToolContext) {
        let (device, account) = (made.lane.hex, made.accountID.hex)
        var fields: [String: JSONValue] = ["deviceId": .string(device), "accountId": .string(account)]
        fields["phrase"] = words.map { .string($0.joined(separator: " ")) }
        context.show(.object(fields)) {
            context.output.line(
                "account \(account)\ndevice  \(device) (\(node.identity.deviceName))\nhome    \(node.home.path)")
            if let words { context.output.line(PhraseText.explanation(words, columns: context.output.columns)) }
        }
    }
}
