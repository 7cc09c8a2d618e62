import LeaderboardShare
import Ledger
import Node
import NodeCore
import NodeModel

enum MemberNaming {
    static let roles = ValueKind.choice("admin|member|viewer", ["admin", "member", "viewer"])
    static let member = Parameter.text("MEMBER", .text("MEMBER"), "an id, the beginning of it, or a name")
    /// For requests that cannot be undone: members choose their names.
    static let certainMember = member.requested(.pattern("^[0-9a-fA-F]{64}$"), help: "the member's full id")

    /// The members whom somebody may mean by a name. Names that look alike are shown with the beginning of the id, and
    /// without it once one of them is gone; so a name with the beginning of an id may be that member's, or one that
    /// another member chose.
    static func meant(by text: String, among members: [GroupMember]) -> [GroupMember] {
        let text = text.lowercased()
        func isShown(_ shown: String, for name: String, _ member: GroupMember) -> Bool {
            guard shown.hasPrefix(name + " ") else { return false }
            let digits = shown.dropFirst(name.count + 1)
            return digits.utf8.count >= GroupMember.shownDigits && member.id.hex.hasPrefix(digits)
        }
        let called = members.filter { $0.name.lowercased() == text || isShown(text, for: $0.name.lowercased(), $0) }
        return called.isEmpty ? members.filter { isShown($0.name.lowercased(), for: text, $0) } : called
    }
}

/// `group …`: members and their roles.
extension Command {
    static let groupMembers: Command = {
        let all = Parameter.flag("--all", "include removed members")
        return Command(
            "group members", "List the members of a group", examples: ["Family --json"],
            takes: [GroupNaming.group, account, all],
            at: Endpoint(
                "members", .get, "/v1/groups/{group}/members", .scope(.groupsRead),
                answer: .list(of: Member.self, as: GroupText.members)),
            begin: listing { call in try call.group().zone.roster.members(withRemoved: call.has(all)).map { Member($0) }
            })
    }()

    static let memberChanges: [Command] = [
        groupRemove,
        suspending(
            "suspend", "Hide a member's results until they are unsuspended (owner, admins)", GroupRoster.suspend),
        suspending("unsuspend", "Lift another member's suspension (owner, admins)", GroupRoster.unsuspend),
        groupSetRole,
    ]

    private static let changedMember = Answer.object(Member.self, shows: GroupText.member)

    private static func suspending(
        _ word: String, _ summary: String, _ body: @escaping @Sendable (GroupRoster) -> (MemberID) throws -> Void
    ) -> Command {
        Command(
            "group \(word)", summary, examples: ["Family Ben"],
            takes: [GroupNaming.group, MemberNaming.member, account],
            at: Endpoint(
                word + "Member", .post, "/v1/groups/{group}/members/{member}/\(word)", .scope(.groupsWrite),
                answer: changedMember),
            begin: changingMember { try body($1)($2) })
    }

    private static let groupRemove: Command = {
        let withInvited = Parameter.flag("--with-invited", "also the people it invited, and the people they invited")
        let dropResults = Parameter.flag(
            "--drop-results", "all members' devices let go what it posted; this cannot be done later")
        return Command(
            "group remove", "Remove a member permanently and rotate the keys (owner)",
            examples: ["Family Ben", "Family Ben --with-invited --yes", "Family Mallory --drop-results"],
            takes: [GroupNaming.group, MemberNaming.member, account, withInvited, dropResults, yes],
            asks: """
                This removes the member for good: it reads nothing that is posted from now on. What it has read and,
                without --drop-results, what it has posted stays. The same person can only come back as a new member.
                """,
            at: Endpoint(
                "removeMember", .delete, "/v1/groups/{group}/members/{member}", .scope(.groupsWrite),
                takes: [GroupNaming.certainGroup, MemberNaming.certainMember, withInvited, dropResults],
                answer: .object(RemovedMember.self, shows: GroupText.removed)),
            begin: changing { call, _ in
                let dropsResults = call.has(dropResults)
                let group = try dropsResults ? call.fullGroup() : call.group()
                let member = try group.member(named: MemberNaming.member, in: call, withFormer: true)
                let remove = {
                    try group.zone.roster.remove(
                        member.id, withInvited: call.has(withInvited), keepsRows: !dropsResults)
                }
                let removal = try dropsResults ? group.makingRoom(remove) : remove()
                let after = group.zone.roster.members(withRemoved: true)
                var removed = RemovedMember()
                removed.member = Member(after.first { $0.id == member.id } ?? member)
                removed.alsoRemoved = after.filter { removal.others.contains($0.id) }.map(Member.init)
                removed.endedInvitations = removal.invitations
                return removed
            })
    }()

    private static let groupSetRole: Command = {
        let role = Parameter.text("ROLE", MemberNaming.roles)
        return Command(
            "group set-role", "Make a member an admin, a member or a viewer (owner)", examples: ["Family Ben admin"],
            takes: [GroupNaming.group, MemberNaming.member, role, account],
            at: Endpoint(
                "setRole", .put, "/v1/groups/{group}/members/{member}/role", .scope(.groupsWrite),
                answer: changedMember),
            begin: changingMember { try $1.set(try Ledger.Role(word: try $0.need(role)), of: $2) })
    }()

    /// Changes a member and answers with the new state.
    private static func changingMember(
        _ body: @escaping @Sendable (Call, GroupRoster, MemberID) throws -> Void
    ) -> Begin {
        changing { call, _ in
            let group = try call.group()
            let member = try group.member(named: MemberNaming.member, in: call)
            try body(call, group.zone.roster, member.id)
            return Member(group.zone.roster.members(withRemoved: true).first { $0.id == member.id } ?? member)
        }
    }
}

extension Member {
    init(_ member: GroupMember) {
        self.init()
        memberId = member.id.hex
        name = member.name
        role = NodeModel.Role(rawValue: member.role.word)
        state = member.state.rawValue
        devices = member.devices
        me = member.isMe
        confirmed = member.isConfirmed
        cameBy = member.invitedBy?.hex
    }
}
