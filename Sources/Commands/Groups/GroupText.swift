import JSONLines
import Node
import NodeModel

package enum GroupText {
    static let list = ListColumns<Group>(
        whenEmpty: "No groups yet: `kachat-node group create TITLE` makes one.",
        [
            .text("GROUP", .shortened(to: 8)) { $0.title }, .text("ID") { String($0.groupId.prefix(8)) },
            .text("ROLE") { $0.role?.rawValue }, .number("MEMBERS") { $0.epochs == nil ? nil : $0.members },
            .text("STATE", .wrapped(at: 12)) { $0.sentence.isEmpty ? $0.state : $0.sentence },
        ])

    @Sendable static func inFull(_ group: Group, _ output: Output) {
        func known(_ text: String?) -> String? { text == "" ? nil : text }
        func id(_ id: String?) -> String { id.map { " (\($0.prefix(8)))" } ?? "" }
        output.facts([
            ("group", "\(group.title) (\(group.groupId))"), ("about", known(group.description)),
            ("state", known(group.sentence) ?? group.state),
            ("you", group.name.map { "\($0)\(id(group.memberId)), \(group.role?.rawValue ?? "-")" }),
            ("owner", group.owner.map { $0 + id(group.ownerId) }), ("created", Wording.time(group.createdAt)),
            ("joined", Wording.time(group.joinedAt)), ("deleted", Wording.time(group.deletedAt)),
            ("members", group.epochs.map { _ in Wording.grouped(group.members) }),
            ("games", group.epochs.map { _ in Wording.grouped(group.games) }),
            ("verdict", group.verdict?.title), ("sync", group.sync),
            ("in reach", group.connected.map { Wording.grouped($0) }), ("problems", group.problems.map(text)),
        ])
    }

    @Sendable static func named(_ group: Group, _ output: Output) {
        output.line("You are \(Terminal.harmless(group.name ?? "-")) in \(Terminal.harmless(group.title)).")
    }

    private static func text(_ problems: GroupProblems) -> String {
        let counts = [
            (problems.voidScores, "invalid result"), (problems.voidControls, "invalid control record"),
            (problems.unknownRecords, "unknown record"), (problems.refusedRecords, "refused record"),
            (problems.refusedBlobs, "refused blob"),
            (problems.equivocations.count, "proof of two records for one place"),
        ].filter { $0.0 > 0 }.map { Wording.count($0.0, $0.1) }
        return counts.isEmpty ? "none" : counts.joined(separator: ", ")
    }

    @Sendable static func joined(_ group: JoinedGroup, _ output: Output) {
        let title = Terminal.harmless(group.title)
        guard group.state == "joined" else {
            return output.line("Not in \(title) yet: \(Terminal.harmless(group.waitsFor ?? "-")).")
        }
        let (members, days) = (Wording.count(group.members ?? 0, "member"), Wording.count(group.days ?? 0, "day"))
        let name = group.name.map { " as \(Terminal.harmless($0))" } ?? ""
        output.line("Joined \(title)\(name): \(members), \(days) of history.")
    }

    @Sendable static func successor(_ group: SuccessorGroup, _ output: Output) {
        let title = Terminal.harmless(group.title)
        // Until the owner has agreed it is the others who follow, each in a home of their own.
        output.line(
            group.closed
                ? "The group is replaced by \(title): its members move there within a day, or now with "
                    + "\(output.program.command("group follow GROUP"))."
                : "\(title) is created and offered to all members. The owner closes the old group with it, or each "
                    + "member follows by `kachat-node group follow GROUP`.")
    }

    @Sendable static func left(_ group: LeftGroup, _ output: Output) {
        output.line("You left \(Terminal.harmless(group.title)).")
        output.line("If you have other devices, they keep their copies until you leave it there too.")
        results(group, output)
    }

    @Sendable static func dropped(_ group: LeftGroup, _ output: Output) {
        output.line("\(Terminal.harmless(group.title)) is deleted from this device.")
        results(group, output)
    }

    private static func results(_ group: LeftGroup, _ output: Output) {
        guard let file = group.scoresFile else { return }
        output.line("Your own results are in \(Terminal.harmless(file)).")
    }

    static let members = ListColumns<Member>(
        whenEmpty: "No members.",
        [
            .text("MEMBER", .shortened(to: 8)) { $0.name + ($0.me ? " (you)" : "") },
            .text("ID") { String($0.memberId.prefix(8)) }, .text("ROLE") { isThere($0) ? $0.role.rawValue : "" },
            .number("DEVICES") { isThere($0) ? $0.devices : nil },
            .cell("STATE", .wrapped(at: 10)) { $0.state == "active" ? "" : TextTable.Cell($0.state, .warning) },
        ])

    /// Whether the member has a role: one that was removed or left has none any more.
    private static func isThere(_ member: Member) -> Bool { !["removed", "left"].contains(member.state) }

    @Sendable static func member(_ member: Member, _ output: Output) {
        let state = member.state == "active" ? "" : ", \(member.state)"
        output.line("\(Terminal.harmless(member.name)) (\(member.memberId.prefix(8))): \(member.role.rawValue)\(state)")
    }

    @Sendable static func removed(_ removed: RemovedMember, _ output: Output) {
        for member in [removed.member] + removed.alsoRemoved {
            output.line("\(Terminal.harmless(member.name)) (\(member.memberId.prefix(8))) is removed.")
        }
        guard removed.endedInvitations > 0 else { return }
        output.line(
            "\(Wording.count(removed.endedInvitations, "open invitation")) ended, since a removed member may know "
                + "\(removed.endedInvitations == 1 ? "it" : "them"). Whoever has not joined yet needs a new one.")
    }

    static let invites = ListColumns<Invite>(
        whenEmpty: "No open invitations.",
        [
            .text("INVITATION") { String($0.inviteId.prefix(8)) }, .text("ROLE") { $0.role.rawValue },
            .text("USED") { "\($0.used) of \($0.people)" }, .text("EXPIRES") { Wording.time($0.expiresAt) ?? "never" },
            .text("BY", .shortened(to: 8)) { $0.issuer ?? "-" },
        ])

    package static func until(_ milliseconds: Int?) -> String {
        Wording.time(milliseconds).map { "until \($0)" } ?? "never expires"
    }
}
