import JSONLines
import Node
import NodeModel

package enum GroupText {
    @Sendable static func line(_ group: Group, _ output: Output) {
        let members = group.epochs == nil ? "" : Wording.count(group.members, "member")
        output.line(
            "\(String(group.groupId.prefix(8)))  \(Output.padded(Terminal.harmless(group.title), 24))  "
                + "\(Output.padded(group.role?.rawValue ?? "-", 7))  \(Output.padded(members, 11))  "
                + Terminal.harmless(group.sentence.isEmpty ? group.state : group.sentence))
    }

    @Sendable static func inFull(_ group: Group, _ output: Output) {
        let names = [
            "groupId", "title", "description", "sentence", "role", "name", "memberId", "owner", "ownerId", "createdAt",
            "joinedAt", "deletedAt", "members", "games", "epochs", "sync", "connected", "problems",
        ]
        let fields = group.jsonFields
        let width = names.map(\.count).max() ?? 0
        for name in names {
            guard let field = fields[name], field != .null, field != .string("") else { continue }
            let time = name.hasSuffix("At") ? field.integer.map { CivilTime(milliseconds: $0).text + " UTC" } : nil
            output.line(Output.padded(name, width) + "  " + (time ?? Output.plain(field)))
        }
    }

    @Sendable static func joined(_ group: JoinedGroup, _ output: Output) {
        let title = Terminal.harmless(group.title)
        guard group.state == "joined" else {
            return output.line("pending: \(title) \(Terminal.harmless(group.waitsFor ?? "-"))")
        }
        let (members, days) = (Wording.count(group.members ?? 0, "member"), Wording.count(group.days ?? 0, "day"))
        output.line("Joined \(title): \(members), \(days) of history.")
    }

    @Sendable static func successor(_ group: SuccessorGroup, _ output: Output) {
        let title = Terminal.harmless(group.title)
        output.line(
            group.closed
                ? "The group goes on as \(title): its members follow within a day, or at once by `group follow`."
                : "\(title) is founded, and offered to all members. The owner closes the old group with it, or each "
                    + "member follows by `group follow`.")
    }

    @Sendable static func left(_ group: LeftGroup, _ output: Output) {
        output.line("You left \(Terminal.harmless(group.title)).")
        output.line("Your other devices keep their copies until you leave it there too.")
        results(group, output)
    }

    @Sendable static func dropped(_ group: LeftGroup, _ output: Output) {
        output.line("\(Terminal.harmless(group.title)) is deleted from this device.")
        results(group, output)
    }

    private static func results(_ group: LeftGroup, _ output: Output) {
        output.line("Your own results, if there are any, are in \(Terminal.harmless(group.scoresFile ?? "-")).")
    }

    @Sendable static func member(_ member: Member, _ output: Output) {
        output.line(
            "\(String(member.memberId.prefix(8)))  \(member.me ? "*" : " ") "
                + "\(Output.padded(Terminal.harmless(member.name), 24))  \(Output.padded(member.role.rawValue, 7))"
                + (member.state == "active" ? "" : "  \(member.state)"))
    }

    @Sendable static func removed(_ removed: RemovedMember, _ output: Output) {
        for member in [removed.member] + removed.alsoRemoved { self.member(member, output) }
        guard removed.endedInvitations > 0 else { return }
        output.line(
            "\(Wording.count(removed.endedInvitations, "open invitation")) ended, since a removed member may know "
                + "\(removed.endedInvitations == 1 ? "it" : "them"). Whoever has not joined yet needs a new one.")
    }

    @Sendable static func invite(_ invite: Invite, _ output: Output) {
        let issuer = Terminal.harmless(invite.issuer ?? "-")
        output.line(
            "\(String(invite.inviteId.prefix(8)))  \(Output.padded(invite.role.rawValue, 7))  "
                + "used \(invite.used) of \(invite.people)  \(until(invite.expiresAt))  by \(issuer)")
    }

    package static func until(_ milliseconds: Int?) -> String {
        milliseconds.map { "until \(CivilTime(milliseconds: Int64($0)).text) UTC" } ?? "never expires"
    }
}
