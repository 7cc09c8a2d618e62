import Commands
import LeaderboardShare
import Node
import NodeCore
import NodeModel

/// `group inspect` and `group narrow`: work on an invitation alone, without home, node or network.
enum TokenCommand {
    static let inspect = CommandSpec(
        "group inspect", summary: "Show what an invitation allows (works offline)",
        examples: ["kachat-node group inspect kachat:…"], places: [token])

    static let narrow = CommandSpec(
        "group narrow", summary: "Derive a more limited invitation (works offline)",
        examples: ["kachat-node group narrow kachat:… --role viewer --expires 1d"],
        places: [token],
        options: [
            ParameterSpec("--role", RoleNaming.roles, help: "maximum role"), InviteOptions.expires,
            InviteOptions.uses,
        ])

    private static let token = ParameterSpec("TOKEN", .text("TOKEN"), repeatable: true)

    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let text = context.command.texts("TOKEN").joined(separator: " ")
        do {
            let token = try GroupToken(text: text)
            let invite =
                context.command.name == "group narrow" ? try narrowed(token, context) : inspected(token, context)
            if context.command.isJSON {
                context.output.bufferedLine(invite.json.encoded)
            } else {
                Render.invitation(invite, context)
            }
            return .done
        } catch let error as NodeError {
            throw error
        } catch {
            throw NodeError(cause: error)
        }
    }

    private static func inspected(_ token: GroupToken, _ context: ToolContext) -> InspectedInvite {
        var invite = InspectedInvite(token)
        do {
            try token.checkUsable(now: context.clock.wall())
            invite.isUsable = true
        } catch {
            invite.isUsable = false
            invite.reason = "\(error)"
        }
        return invite
    }

    private static func narrowed(_ token: GroupToken, _ context: ToolContext) throws -> InspectedInvite {
        let command = context.command
        var random = SystemRandom()
        let expires: UInt64? = try command.text("--expires").map { try Lifetime.end($0, from: context.clock.wall()) }
        let narrowed = try token.narrowed(
            role: try command.text("--role").map { try LeaderboardShare.Role(word: $0) }, expiresSeconds: expires,
            uses: command.number("--uses").map { UInt32(clamping: $0) }, random: &random)
        var invite = InspectedInvite(narrowed)
        invite.token = narrowed.text
        return invite
    }
}

extension InspectedInvite {
    fileprivate init(_ token: GroupToken) {
        self.init()
        role = NodeModel.Role(rawValue: token.rights.role.word)
        expiresAt = token.rights.expiresAt
        uses = token.rights.mostUses
        title = token.title
        groupId = token.group.hex
        // Enough to compare by voice with the issuer's `group show`.
        issuer = String(token.issuer.hex.prefix(16))
        issuerId = token.issuer.hex
        links = token.chain.count
    }
}
