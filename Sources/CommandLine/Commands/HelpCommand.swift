import Commands
import Node

/// `help [COMMAND [SUBCOMMAND]]`
struct HelpCommand {
    let commands: [CommandSpec]

    func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let words = [context.command.text("COMMAND"), context.command.text("SUBCOMMAND")].compactMap { $0 }
        if context.command.has("--man") {
            context.output.raw(Manual.scdoc(commands))
            return .done
        }
        guard !words.isEmpty else {
            context.output.line(Help.text(commands))
            return .done
        }
        let matching = commands.filter { $0.path.starts(with: words) }
        guard !matching.isEmpty else {
            let asked = words.joined(separator: " ")
            let nearest = EditDistance.nearest(to: asked, in: commands.map(\.name))
            throw NodeError(.usage, "unknown command `\(asked)`" + (nearest.map { " (did you mean `\($0)`?)" } ?? ""))
        }
        context.output.line(matching.map(Help.text).joined(separator: "\n\n"))
        return .done
    }
}
