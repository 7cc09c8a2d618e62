import LeaderboardShare
import Node
import NodeCore
import NodeModel

enum MemberNaming {
    static let help = "an id, the beginning of it, or a name"
    static let member = Parameter.text("MEMBER", .text("MEMBER"))
    static let inPath = member.requested(help: help)
}

/// `group …`: who is in it, and what they may do.
extension Command {
    static let groupMembers: Command = {
        let all = Parameter.flag("--all", "those who were removed too")
        return Command(
            "group members", "List who is in a group", examples: ["kachat-node group members Family --json"],
            takes: [GroupNaming.group, account, all],
            at: [
                Endpoint(
                    "members", .get, "/v1/groups/{group}/members", .scope(.groupsRead), "Who is in a group",
                    takes: [GroupNaming.inPath, all], answer: .list(of: Member.self, shows: GroupText.member))
            ]
        ) { call throws(NodeError) in
            let group = try call.group()
            return listing { group.zone.memberList(withRemoved: call.has(all)).map { Member($0) } }
        }
    }()

    static let memberChanges: [Command] = [
        memberCommand(
            "group remove", "Remove a member for ever, and start new keys (owner)",
            at: Endpoint(
                "removeMember", .delete, "/v1/groups/{group}/members/{member}", .scope(.groupsWrite),
                "Remove a member for ever, and start new keys (owner)",
                takes: [GroupNaming.inPath, MemberNaming.inPath], answer: changedMember),
            withFormer: true, GroupZone.remove),
        memberCommand(
            "group suspend", "Hide a member's results until that is lifted (owner, admins)",
            at: Endpoint(
                "suspendMember", .post, "/v1/groups/{group}/members/{member}/suspend", .scope(.groupsWrite),
                "Hide a member's results until that is lifted", takes: [GroupNaming.inPath, MemberNaming.inPath],
                answer: changedMember),
            GroupZone.suspend),
        memberCommand(
            "group unsuspend", "Lift a suspension (owner, admins, but not oneself)",
            at: Endpoint(
                "unsuspendMember", .post, "/v1/groups/{group}/members/{member}/unsuspend", .scope(.groupsWrite),
                "Lift a suspension", takes: [GroupNaming.inPath, MemberNaming.inPath], answer: changedMember),
            GroupZone.unsuspend),
        groupSetRole,
    ]

    private static let changedMember = Answer.object(Member.self, shows: GroupText.member)

    private static func memberCommand(
        _ path: String, _ summary: String, at endpoint: Endpoint, withFormer: Bool = false,
        _ body: @escaping @Sendable (GroupZone) -> (MemberID) throws -> Void
    ) -> Command {
        Command(
            path, summary, examples: ["kachat-node \(path) Family Ben"],
            takes: [GroupNaming.group, MemberNaming.member, account], at: [endpoint]
        ) { call throws(NodeError) in
            try changingMember(call, MemberNaming.member, withFormer: withFormer, body)
        }
    }

    private static let groupSetRole: Command = {
        let role = Parameter.text("ROLE", RoleNaming.roles)
        return Command(
            "group set-role", "Make a member an admin, a member or a viewer (owner)",
            examples: ["kachat-node group set-role Family Ben admin"],
            takes: [GroupNaming.group, MemberNaming.member, role, account],
            at: [
                Endpoint(
                    "setRole", .put, "/v1/groups/{group}/members/{member}/role", .scope(.groupsWrite),
                    "Make a member an admin, a member or a viewer (owner)",
                    takes: [GroupNaming.inPath, MemberNaming.inPath, role], answer: changedMember)
            ]
        ) { call throws(NodeError) in
            let role = try LeaderboardShare.Role(word: try call.need(role))
            return try changingMember(call, MemberNaming.member) { zone in { try zone.set(role, of: $0) } }
        }
    }()

    /// Does one thing to a member, who is told in the answer.
    static func changingMember(
        _ call: Call, _ named: Parameter<String>, withFormer: Bool = false,
        _ body: @escaping (GroupZone) -> (MemberID) throws -> Void
    ) throws(NodeError) -> any Operation {
        let group = try call.group()
        let member = try group.member(named: try call.need(named), withFormer: withFormer)
        return changing { _ in
            try body(group.zone)(member.id)
            return Member(group.zone.memberList(withRemoved: true).first { $0.id == member.id } ?? member)
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
    }
}
