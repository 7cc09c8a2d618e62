import Commands
import LeaderboardShare
import Node
import NodeCore

/// `group inspect` and `group narrow`: what can be done with an invitation alone. No home, no node, no network.
enum TokenCommand {
    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let text = context.command.texts("TOKEN").joined(separator: " ")
        do {
            let token = try GroupToken(text: text)
            let value =
                context.command.name == "group narrow" ? try narrowed(token, context) : inspected(token, context)
            if context.command.isJSON {
                context.output.bufferedLine(value.encoded)
            } else {
                Render.invitation(context)(value, context.output)
            }
            return .done
        } catch let error as NodeError {
            throw error
        } catch {
            throw NodeError(cause: error)
        }
    }

    private static func inspected(_ token: GroupToken, _ context: ToolContext) -> JSONValue {
        var fields = fields(token)
        do {
            try token.checkUsable(now: context.clock.wall())
            fields["usable"] = .bool(true)
        } catch {
            fields["usable"] = .bool(false)
            fields["reason"] = .string("\(error)")
        }
        return .object(fields)
    }

    private static func narrowed(_ token: GroupToken, _ context: ToolContext) throws -> JSONValue {
        let command = context.command
        var random = SystemRandom()
        let expires: UInt64? = try command.text("--expires").map { try Lifetime.end($0, from: context.clock.wall()) }
        let narrowed = try token.narrowed(
            role: try command.text("--role").map { try Role(word: $0) }, expiresSeconds: expires,
            uses: command.number("--uses").map { UInt32(clamping: $0) }, random: &random)
        var fields = fields(narrowed)
        fields["token"] = .string(narrowed.text)
        return .object(fields)
    }

    private static func fields(_ token: GroupToken) -> [String: JSONValue] {
        var fields = token.rights.fields
        fields["title"] = .string(token.title)
        fields["groupId"] = .string(token.group.hex)
        // Enough to compare by voice with what `group show` tells at the issuer's.
        fields["issuer"] = .string(String(token.issuer.hex.prefix(16)))
        fields["issuerId"] = .string(token.issuer.hex)
        fields["links"] = .number(token.chain.count)
        return fields
    }
}
