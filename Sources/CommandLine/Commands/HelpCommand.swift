import Commands
import Node
import NodeCore

/// `help [COMMAND [SUBCOMMAND]]`
enum HelpCommand {
    static let spec = CommandSpec(
        "help", summary: "Show help for a command",
        examples: ["", "--all", "message list"],
        parameters: [
            ParameterSpec("COMMAND", .text("COMMAND"), required: false),
            ParameterSpec("SUBCOMMAND", .text("SUBCOMMAND"), required: false),
            ParameterSpec("--all", help: "all commands"),
            ParameterSpec("--man", help: "the manual page of all commands, as scdoc source"),
            ParameterSpec("--reference", help: "docs/COMMANDS.md: all commands, their HTTP endpoints and answers"),
        ])

    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let words = [context.command.text("COMMAND"), context.command.text("SUBCOMMAND")].compactMap { $0 }
        if context.command.has("--man") {
            context.output.raw(Manual.scdoc(context.commands))
            return .done
        }
        if context.command.has("--reference") {
            context.output.raw(Reference.markdown(context.commands))
            return .done
        }
        let columns = context.output.isTerminal ? context.output.columns : .max
        guard !words.isEmpty else {
            context.output.line(
                context.command.has("--all")
                    ? Help.all(context.commands, columns: columns) : Help.first(context.commands, columns: columns))
            return .done
        }
        let matching = context.commands.filter { $0.path.starts(with: words) }
        guard !matching.isEmpty else {
            let asked = words.joined(separator: " ")
            let meant = EditDistance.suggestion(for: asked, in: context.commands.map(\.name))
            throw NodeError(.usage, "unknown command `\(asked)`\(meant)")
        }
        let exact = matching.count == 1 ? matching[0] : matching.first { $0.path == words }
        let others = matching.filter { $0.path != exact?.path }
        let parts = [
            exact.map { Help.text($0, columns: columns) }, others.isEmpty ? nil : Help.family(others, columns: columns),
        ]
        context.output.line(parts.compactMap(\.self).joined(separator: "\n\n"))
        return .done
    }
}

/// `version`
enum VersionCommand {
    static let spec = CommandSpec("version", summary: "Show the version")

    static func run(_ context: ToolContext) -> ExitStatus {
        context.show(["version": .string(Version.current)]) { context.output.line("kachat-node \(Version.current)") }
        return .done
    }
}

/// The answer to a call without a command: what the program is, and the next step in this home.
enum Welcome {
    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let home = try context.home()
        context.errors.line("kachat-node keeps your chats the same on all your devices, without a server.\n")
        context.errors.line(try nextStep(home, context.program))
        context.errors.line("`kachat-node help` shows the commands.")
        return .usage
    }

    private static func nextStep(_ home: HomeFolder, _ program: String) throws(NodeError) -> String {
        let path = Terminal.harmless(home.path)
        if try SocketLink(path: HomeSocketPath.find(home)) != nil {
            return "The node of \(path) is running. See how it is: `\(program) status`"
        }
        guard home.hasIdentity else { return "There is no node in \(path) yet. Set it up: `\(program) setup`" }
        return "The node of \(path) is not running. Start it: `\(program) run`"
    }
}
