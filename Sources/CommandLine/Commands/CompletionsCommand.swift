import Commands
import Node

/// `completions bash|zsh|fish`
struct CompletionsCommand {
    let commands: [CommandSpec]

    func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        guard let shell = context.command.text("SHELL").flatMap(Completions.Shell.init) else {
            throw NodeError(.usage, "completions are there for bash, zsh and fish")
        }
        context.output.line(Completions(commands: commands).script(shell))
        return .done
    }
}
