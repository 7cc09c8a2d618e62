import Commands
import Node

/// `completions bash|zsh|fish`
enum CompletionsCommand {
    static let spec = CommandSpec(
        "completions", summary: "Generate a completion script",
        examples: [
            "kachat-node completions bash > ~/.local/share/bash-completion/completions/kachat-node",
            "kachat-node completions zsh > ~/.zfunc/_kachat-node",
            "kachat-node completions fish > ~/.config/fish/completions/kachat-node.fish",
        ],
        places: [ParameterSpec("SHELL", .choice("bash|zsh|fish", ["bash", "zsh", "fish"]))])

    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        guard let shell = context.command.text("SHELL").flatMap(Completions.Shell.init) else {
            throw NodeError(.usage, "completions exist for bash, zsh and fish")
        }
        context.output.line(Completions(commands: context.commands).script(shell))
        return .done
    }
}
