import Commands
import Glibc
import Node
import NodeCore

/// `setup`: the first run, in three questions.
enum SetupCommand {
    static let spec = CommandSpec(
        "setup", summary: "Set up this device: three questions, or flags without a terminal",
        examples: [
            "", "--account new --name laptop --start-at-login yes", "--account pair --name phone",
            "--account phrase --phrase-file phrase.txt --name phone",
        ],
        parameters: [
            ParameterSpec(
                "--account", .choice("new|pair|phrase", ["new", "pair", "phrase"]),
                help: "a new account, that of another device in the room, or that of a recovery phrase"),
            ParameterSpec("--name", .text("N"), help: "this device's name on your other devices"),
            ParameterSpec(
                "--start-at-login", .choice("yes|no", ["yes", "no"]),
                help: "enable the systemd user unit (default without a terminal: no)"),
            ParameterSpec("--phrase-file", .text("F"), help: "with --account phrase; - is standard input"),
            PairingNetwork.timeout,
        ] + PairingNetwork.options)

    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let command = context.command
        let home = try context.home()
        if home.hasIdentity, try !IdentityFile.load(from: home).accounts.isEmpty {
            throw NodeError(
                .alreadyInitialised,
                "\(home.path) is already set up: `\(context.program) status` shows it, `\(context.program) account "
                    + "pair` adds another device")
        }
        let isAsking = !command.isJSON && isatty(STDIN_FILENO) == 1 && context.output.isTerminal
        let dialogue = SetupDialogue(output: context.output)
        let login = LoginStart(home: home, environment: context.environment)
        let answers =
            isAsking
            ? try SetupAnswers(command, dialogue: dialogue, canStartAtLogin: login.isPossible)
            : try SetupAnswers(flags: command)
        let status = try makeAccount(answers, isAsking ? dialogue : nil, context)
        guard status == .done else { return status }
        let outcome = answers.startsAtLogin ? login.enable(program: context.program) : nil
        let answer: JSONValue = [
            "state": "set-up", "name": .string(answers.name), "startsAtLogin": .bool(outcome == .enabled),
            "home": .string(home.path),
        ]
        context.show(answer) { tell(outcome, context) }
        if case .impossible(let why)? = outcome { context.errors.complaint("start at login: \(why)") }
        return .done
    }

    private static func makeAccount(
        _ answers: SetupAnswers, _ dialogue: SetupDialogue?, _ context: ToolContext
    ) throws(NodeError) -> ExitStatus {
        var command = context.command
        for option in ["--account", "--start-at-login"] { command.values[option] = nil }
        command.values["--name"] = [answers.name]
        switch answers.account {
        case .pair:
            command = command.with(spec: Command.accountPair.spec)
            command.values["--join"] = [""]
            return try PairCommand.run(context.with(command))
        case .new: return try InitCommand.run(context.with(command), isWithHint: false)
        case .phrase:
            if let dialogue, command.text("--phrase-file") == nil {
                return try InitCommand.run(context.with(command), account: try dialogue.phrase(), isWithHint: false)
            }
            guard command.has("--phrase-file") else {
                throw NodeError(.usage, "--account phrase needs --phrase-file F (- is standard input)")
            }
            return try InitCommand.run(context.with(command), isWithHint: false)
        }
    }

    private static func tell(_ outcome: LoginStart.Outcome?, _ context: ToolContext) {
        let program = context.program
        context.output.line(
            outcome == .enabled
                ? "This device is set up. The node is running and starts when you log in (`systemctl --user status "
                    + "\(LoginStart.unit)`)." : "This device is set up. Start it with `\(program) run`.")
        context.output.line(
            """

            On each further device:
              1. install kachat-node, and connect the device to the same network
              2. run `kachat-node setup` there, and choose "on another device in this room"
              3. run `\(program) account pair` here, and compare the six digits
            `\(program) status` shows what is here, and which devices are in reach.
            """)
    }
}
