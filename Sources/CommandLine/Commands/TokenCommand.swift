import Commands
import Node
import NodeCore
import NodeModel

/// `group inspect` and `group split`: work on an invitation alone, without home, node or network.
enum TokenCommand {
    static let split = CommandSpec(
        "group split", summary: "Split an invitation in two, to pass one part on (works offline)",
        examples: ["kachat:… --people 2"],
        parameters: [
            ParameterSpec("TOKEN", .text("TOKEN"), repeatable: true),
            ParameterSpec("--people", .number("N", 1...63), help: "how many people the new part is for (default: 1)"),
        ])

    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let text = context.command.texts("TOKEN").joined(separator: " ")
        do {
            if context.command.name == "group split" {
                let split = try SplitInvite(text: text, people: Int(context.command.number("--people") ?? 1))
                context.show(split.json) { Render.split(split, context) }
            } else {
                let invite = try InspectedInvite(text: text)
                context.show(invite.json) { Render.invitation(invite, context) }
            }
            return .done
        } catch {
            throw NodeError(cause: error)
        }
    }
}
