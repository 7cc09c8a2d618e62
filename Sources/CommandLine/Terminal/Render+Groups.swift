import Commands
import Node
import NodeModel

/// Groups and invitations: their text depends on the terminal.
extension Render {
    static func founded(_ context: ToolContext) -> (JSONValue, Output) -> Void {
        { value, output in
            guard let group = try? FoundedGroup(json: value) else { return }
            // `group create` does not ask for the owner's display name.
            let (id, title) = (group.groupId.prefix(8), Terminal.harmless(group.title))
            output.line("\(title) is created, and you are its owner. Set your name and invite the others:")
            output.line("  \(context.program) group set-name \(id) NAME")
            output.line("  \(context.program) group invite \(id)")
        }
    }

    /// A new invitation, with its QR code on a terminal.
    static func invitation(_ context: ToolContext) -> (JSONValue, Output) -> Void {
        { value, output in
            guard let made = try? MadeInvite(json: value) else { return }
            show(made.token, context)
            tell(made.title, made.role, uses: made.uses, expiresAt: made.expiresAt, context)
        }
    }

    /// The contents of an invitation.
    static func invitation(_ invite: InspectedInvite, _ context: ToolContext) {
        let output = context.output
        if let token = invite.token { show(token, context) }
        tell(invite.title, invite.role, uses: invite.uses, expiresAt: invite.expiresAt, context)
        guard invite.token == nil else { return }
        output.line("title    \(Terminal.harmless(invite.title))")
        output.line("group    \(invite.groupId)")
        output.line("role     \(invite.role.rawValue)")
        output.line("expires  \(GroupText.until(invite.expiresAt))")
        output.line("issuer   \(invite.issuer)")
        if let reason = invite.reason { output.line("note     \(reason)") }
    }

    private static func show(_ token: String, _ context: ToolContext) {
        context.output.line(token)
        let isColoured = context.environment[name: "NO_COLOR"] == nil
        guard context.output.isTerminal, let matrix = context.qr(token.uppercased()) else { return }
        context.output.line("\n" + matrix.blocks(isColoured: isColoured))
    }

    private static func tell(
        _ title: String, _ role: NodeModel.Role, uses: Int?, expiresAt: Int?, _ context: ToolContext
    ) {
        let who = uses.map { $0 == 1 ? "one person" : "\($0) people" } ?? "any number of people"
        context.errors.line(
            "\(Terminal.harmless(title)): \(who) may join as \(role.rawValue), \(GroupText.until(expiresAt)).")
    }
}
