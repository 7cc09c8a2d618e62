import Commands
import LeaderboardShare
import Node
import NodeCore
import NodeModel

/// `group inspect` and `group split`: work on an invitation alone, without home, node or network.
enum TokenCommand {
    static let split = CommandSpec(
        "group split", summary: "Split an invitation in two, to pass one part on (works offline)",
        examples: ["kachat-node group split kachat:… --people 2"],
        places: [token], options: [ParameterSpec("--people", .number("N", 1...63), help: people)])

    private static let people = "how many people the new part is for (default: 1)"

    private static let token = ParameterSpec("TOKEN", .text("TOKEN"), repeatable: true)

    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let text = context.command.texts("TOKEN").joined(separator: " ")
        do {
            let token = try GroupToken(text: text)
            if context.command.name == "group split" {
                let (cut, rest) = try token.split(people: Int(context.command.number("--people") ?? 1))
                show(SplitInvite(cut, rest), context)
            } else {
                show(InspectedInvite(token), context)
            }
            return .done
        } catch {
            throw NodeError(cause: error)
        }
    }

    private static func show(_ split: SplitInvite, _ context: ToolContext) {
        if context.command.isJSON {
            context.output.bufferedLine(split.json.encoded)
        } else {
            Render.split(split, context)
        }
    }

    private static func show(_ invite: InspectedInvite, _ context: ToolContext) {
        if context.command.isJSON {
            context.output.bufferedLine(invite.json.encoded)
        } else {
            Render.invitation(invite, context)
        }
    }
}

extension SplitInvite {
    fileprivate init(_ cut: GroupToken, _ remaining: GroupToken) {
        self.init()
        (token, people) = (cut.text, cut.tickets.count)
        (rest, restPeople) = (remaining.text, remaining.tickets.count)
        (title, groupId) = (cut.title, cut.group.hex)
    }
}
