import Commands
import Node

/// Groups, their members, and invitations.
extension Render {
    static func groupRenderer(for command: String) -> ((JSONValue, Output) -> Void)? {
        switch command {
        case "group list": group
        case "group join": joined
        case "group delete":
            { value, output in
                guard value["state"]?.text == "dropped" else { return groupInFull(value, output) }
                output.line("\(text(value, "title")) is deleted, and nothing of it stays on your devices.")
                output.line("Your own results, if there are any, are in \(text(value, "scoresFile")).")
            }
        case "group show", "group rename", "group set-name", "group pause", "group resume", "group revoke-invite":
            groupInFull
        case "group members", "group remove", "group suspend", "group unsuspend", "group set-role": member
        case "group transfer":
            { value, output in
                value["name"] == nil || value["groupId"] != nil ? groupInFull(value, output) : member(value, output)
            }
        case "group invites": openInvitation
        case "group leave":
            { value, output in
                output.line("You left \(text(value, "title")) on all your devices.")
                output.line("Your own results, if there are any, are in \(text(value, "scoresFile")).")
            }
        default: nil
        }
    }

    /// What the others see of the owner was not asked for yet.
    static func founded(_ context: ToolContext) -> (JSONValue, Output) -> Void {
        { value, output in
            let id = text(value, "groupId").prefix(8)
            output.line("\(text(value, "title")) is founded, and you are its owner. Say your name, invite the others:")
            output.line("  \(context.program) group set-name \(id) NAME")
            output.line("  \(context.program) group invite \(id)")
        }
    }

    private static func joined(_ value: JSONValue, _ output: Output) {
        guard value["state"]?.text == "joined" else {
            return output.line("pending: \(text(value, "title")) \(text(value, "waitsFor"))")
        }
        let members = Wording.count(Int(value["members"]?.integer ?? 0), "member")
        let days = Wording.count(Int(value["days"]?.integer ?? 0), "day")
        output.line("Joined \(text(value, "title")): \(members), \(days) of history.")
    }

    private static func group(_ value: JSONValue, _ output: Output) {
        let id = String(text(value, "groupId").prefix(8))
        let members = value["members"]?.integer.map { Wording.count(Int($0), "member") } ?? ""
        output.line(
            "\(id)  \(Output.padded(text(value, "title"), 24))  \(Output.padded(text(value, "role"), 7))  \(Output.padded(members, 11))  "
                + (value["sentence"] == nil ? text(value, "state") : text(value, "sentence")))
    }

    private static func groupInFull(_ value: JSONValue, _ output: Output) {
        let names = [
            "groupId", "title", "description", "sentence", "role", "name", "memberId", "owner", "ownerId", "createdAt",
            "joinedAt", "deletedAt", "members", "games", "epochs", "sync", "connected", "problems",
        ]
        let width = names.map(\.count).max() ?? 0
        for name in names {
            guard let field = value[name], field != .null, field != .string("") else { continue }
            let shown: String =
                if name.hasSuffix("At"), let time = field.integer {
                    CivilTime(milliseconds: time).text + " UTC"
                } else {
                    Output.plain(field)
                }
            output.line(Output.padded(name, width) + "  " + shown)
        }
    }

    private static func member(_ value: JSONValue, _ output: Output) {
        let state = text(value, "state")
        output.line(
            "\(String(text(value, "memberId").prefix(8)))  \(value["me"]?.boolean == true ? "*" : " ") "
                + "\(Output.padded(text(value, "name"), 24))  \(Output.padded(text(value, "role"), 7))"
                + (state == "active" ? "" : "  \(state)"))
    }

    private static func openInvitation(_ value: JSONValue, _ output: Output) {
        let uses = value["uses"]?.integer.map { " of \($0)" } ?? ""
        output.line(
            "\(String(text(value, "inviteId").prefix(8)))  \(Output.padded(text(value, "role"), 7))  "
                + "used \(value["used"]?.integer ?? 0)\(uses)  \(until(value))  by \(text(value, "issuer"))")
    }

    /// An invitation, with its QR code on a terminal.
    static func invitation(_ context: ToolContext) -> (JSONValue, Output) -> Void {
        { value, output in
            if let token = value["token"]?.text {
                output.line(token)
                let isColoured = context.environment[name: "NO_COLOR"] == nil
                if output.isTerminal, let matrix = context.qr(token.uppercased()) {
                    output.line("\n" + matrix.blocks(isColoured: isColoured))
                }
            }
            let uses = value["uses"]?.integer.map { $0 == 1 ? "one person" : "\($0) people" } ?? "any number of people"
            context.errors.line(
                "\(text(value, "title")): \(uses) may join as \(text(value, "role")), \(until(value)).")
            if value["token"] == nil {
                output.line("title    \(text(value, "title"))")
                output.line("group    \(text(value, "groupId"))")
                output.line("role     \(text(value, "role"))")
                output.line("expires  \(until(value))")
                output.line("issuer   \(text(value, "issuer"))")
                if let reason = value["reason"]?.text { output.line("note     \(reason)") }
            }
        }
    }

    private static func until(_ value: JSONValue) -> String {
        value["expiresAt"]?.integer.map { "until \(CivilTime(milliseconds: $0).text) UTC" } ?? "without end"
    }

    private static func text(_ value: JSONValue, _ name: String) -> String {
        Terminal.harmless(value[name]?.text ?? "-")
    }
}
