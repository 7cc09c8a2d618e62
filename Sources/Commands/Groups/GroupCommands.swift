import Chat
import LeaderboardShare
import Node
import NodeCore
import NodeModel
import SyncState

/// `group …`: what a group is, and that one is in it.
extension Command {
    static let groups: [Command] =
        [
            groupCreate, groupList, groupShow, groupMembers, groupRename, groupSetName, groupInvite, groupInvites,
            groupRevokeInvite, groupJoin,
        ] + memberChanges + [groupTransfer, groupPause, groupResume, groupLeave, groupDelete]

    private static let title = Parameter.text("TITLE", .text("TITLE"))
    private static let description = Parameter.text("--description", .text("D"), "what the group is about")

    static let groupCreate = Command(
        "group create", "Found a group for a leaderboard; you are its owner",
        examples: ["kachat-node group create Family --description words"], takes: [title, account, description],
        at: [
            Endpoint(
                "createGroup", .post, "/v1/groups", .scope(.groupsWrite), "Found a group; you are its owner",
                takes: [title, description], answer: .object(FoundedGroup.self))
        ]
    ) { call throws(NodeError) in
        let (account, title) = (try call.account, try call.need(title))
        return changing { _ in
            let group = try call.node.groups.found(title: title, description: call[description] ?? "", account: account)
            var founded = FoundedGroup()
            founded.groupId = group.zone.zone.hex
            founded.title = group.title
            founded.memberId = group.zone.member.hex
            return founded
        }
    }

    static let groupList: Command = {
        let all = Parameter.flag("--all", "those that were left too")
        return Command(
            "group list", "List the groups of the account",
            examples: ["kachat-node group list", "kachat-node group list --all --json"], takes: [account, all],
            at: [
                Endpoint(
                    "groups", .get, "/v1/groups", .scope(.groupsRead), "The groups of the account", takes: [all],
                    answer: .list(of: Group.self, shows: GroupText.line))
            ]
        ) { call throws(NodeError) in
            let account = try call.account
            return listing { Group.all(of: account, call.node, withGone: call.has(all)) }
        }
    }()

    static let groupShow: Command = {
        let problems = Parameter.flag("--problems", "what counts for nothing, proofs, and the like")
        return Command(
            "group show", "Show a group: owner, members, keys, and what is wrong with it",
            examples: ["kachat-node group show Family", "kachat-node group show Family --problems"],
            takes: [GroupNaming.group, account, problems],
            at: [
                Endpoint(
                    "group", .get, "/v1/groups/{group}", .scope(.groupsRead),
                    "A group: owner, members, keys, and what is wrong with it",
                    takes: [GroupNaming.inPath, problems], answer: .object(Group.self, shows: GroupText.inFull))
            ]
        ) { call throws(NodeError) in
            let group = try call.group()
            return reading {
                var shown = Group(group, call.node)
                if call.has(problems) { shown.problems = try GroupProblems(group, call.node) }
                return shown
            }
        }
    }()

    // MARK: Changes

    /// Does one thing to the group, and answers with what it is then.
    private static func changingGroup(
        _ call: Call, _ body: @escaping (NodeGroup) throws -> Void
    ) throws(NodeError) -> any Operation {
        let group = try call.group()
        return changing { _ in
            try body(group)
            return Group(group, call.node)
        }
    }

    private static let changedGroup = Answer.object(Group.self, shows: GroupText.inFull)

    static let groupRename = Command(
        "group rename", "Give a group another title (owner)", examples: ["kachat-node group rename Family Clan"],
        takes: [GroupNaming.group, title, account, description],
        at: [
            Endpoint(
                "renameGroup", .patch, "/v1/groups/{group}", .scope(.groupsWrite),
                "Give a group another title (owner)", takes: [GroupNaming.inPath, title, description],
                answer: changedGroup)
        ]
    ) { call throws(NodeError) in
        let title = try call.need(title)
        return try changingGroup(call) { group in
            let description = call[description] ?? group.zone.state.title?.description ?? ""
            try group.zone.rename(title, description: description)
        }
    }

    static let groupSetName: Command = {
        let name = Parameter.text("NAME", .text("NAME"))
        return Command(
            "group set-name", "Say what you are called in a group",
            examples: ["kachat-node group set-name Family Anna"], takes: [GroupNaming.group, name, account],
            at: [
                Endpoint(
                    "setNameInGroup", .put, "/v1/groups/{group}/name", .scope(.groupsWrite),
                    "Say what you are called in a group", takes: [GroupNaming.inPath, name], answer: changedGroup)
            ]
        ) { call throws(NodeError) in
            let name = try call.need(name)
            return try changingGroup(call) { try $0.zone.setName(name, wall: call.clock.wall()) }
        }
    }()

    static let groupPause: Command = {
        let by = Parameter.text(
            "--by", .line("WHO", bytes: SyncState.Limits.pausedByBytes), "who wants it (default: you)")
        return Command(
            "group pause", "Send and fetch nothing of a group until it is resumed; what you post waits",
            examples: ["kachat-node group pause Family"], takes: [GroupNaming.group, account, by],
            at: [
                Endpoint(
                    "pauseGroup", .post, "/v1/groups/{group}/pause", .scope(.groupsWrite),
                    "Send and fetch nothing of a group until it is resumed", takes: [GroupNaming.inPath, by],
                    answer: changedGroup)
            ]
        ) { call throws(NodeError) in
            try changingGroup(call) { try $0.zone.pause(by: call[by] ?? "you", wall: call.clock.wall()) }
        }
    }()

    static let groupResume = Command(
        "group resume", "End the pause of a group", examples: ["kachat-node group resume Family"],
        takes: [GroupNaming.group, account],
        at: [
            Endpoint(
                "resumeGroup", .post, "/v1/groups/{group}/resume", .scope(.groupsWrite), "End the pause of a group",
                takes: [GroupNaming.inPath], answer: changedGroup)
        ]
    ) { call throws(NodeError) in try changingGroup(call) { try $0.zone.resume() } }

    static let groupTransfer: Command = {
        let member = Parameter.text("MEMBER", .text("MEMBER"), MemberNaming.help).optional
        let accept = Parameter.flag("--accept", "take the group over: you are its owner then")
        return Command(
            "group transfer", "Offer a group to another member, or accept what was offered to you",
            examples: ["kachat-node group transfer Family Ben", "kachat-node group transfer Family --accept"],
            takes: [GroupNaming.group, member, account, accept],
            at: [
                Endpoint(
                    "transferGroup", .post, "/v1/groups/{group}/transfer", .scope(.groupsWrite),
                    "Offer a group to another member, or accept what was offered to you",
                    takes: [GroupNaming.inPath, member, accept], body: .someFields,
                    answer: .object(Either<Group, Member>.self) { changed, output in
                        switch changed {
                        case .first(let group): GroupText.inFull(group, output)
                        case .second(let member): GroupText.member(member, output)
                        }
                    })
            ]
        ) { call throws(NodeError) in
            if call.has(accept) { return try changingGroup(call) { try $0.zone.acceptOwnership() } }
            guard call.has(member) else {
                throw NodeError(.usage, "say to whom, or \(parameter: accept.spec.name) what was offered to you")
            }
            return try changingMember(call, member, GroupZone.offerOwnership)
        }
    }()

    // MARK: The end

    private static let leftGroup = Answer.object(LeftGroup.self, shows: GroupText.left)

    static let groupLeave = Command(
        "group leave", "Leave a group on all your devices; your own results are kept as a file",
        examples: ["kachat-node group leave Family"], takes: [GroupNaming.group, account],
        at: [
            Endpoint(
                "leaveGroup", .post, "/v1/groups/{group}/leave", .scope(.groupsWrite), "Leave a group on all devices",
                takes: [GroupNaming.inPath], answer: leftGroup)
        ]
    ) { call throws(NodeError) in
        let account = try call.account
        if let join = try pendingJoin(call, account) {
            return changing { _ in
                try call.node.groups.forgetJoin(of: join.group, account)
                var left = LeftGroup()
                left.groupId = join.group.hex
                left.title = join.pending.token.title
                return left
            }
        }
        let group = try call.group()
        return changing { _ in
            if group.isIn, !group.zone.state.isClosed, group.zone.state.owner == group.zone.member {
                throw NodeError(
                    .notAllowed,
                    """
                    the owner cannot leave, since nobody else could lead the group: hand it over or delete it first\
                    \(advice: " (`kachat-node group transfer`, `kachat-node group delete`)")
                    """)
            }
            return try leave(group, call.node)
        }
    }

    private static func leave(_ group: NodeGroup, _ node: LocalNode) throws -> LeftGroup {
        var left = LeftGroup()
        left.groupId = group.zone.zone.hex
        left.title = group.title
        left.scoresFile = LeftScores(home: node.home, handle: group.placeID).path
        try node.groups.leave(group)
        return left
    }

    /// The join that is meant, where the account waits to be let in. Who invites has chosen its title: one that others
    /// have, too, names none of them.
    private static func pendingJoin(_ call: Call, _ account: NodeAccount) throws(NodeError) -> NodeJoin? {
        let name = (call[GroupNaming.group] ?? "").lowercased()
        let joins = account.joins.filter { join in
            join.pending.token.title.lowercased() == name || name.utf8.count >= 4 && join.group.hex.hasPrefix(name)
        }
        guard let join = joins.first else { return nil }
        let groups = joins.map(\.group) + [(try? call.group())?.zone.zone].compactMap(\.self)
        guard groups.allSatisfy({ $0 == join.group }) else {
            let ids = groups.map(\.shortHex).joined(separator: ", ")
            throw NodeError(.usage, "several groups are meant by `\(name)`: give the beginning of an id: \(ids)")
        }
        return join
    }

    /// By its owner, for all; and by any member of a deleted group, the copy that is here.
    static let groupDelete: Command = {
        let keep = Parameter.flag("--keep", "keep a read-only copy here (what happens without this too)")
        let drop = Parameter.flag("--drop", "keep nothing but your own results, as a file")
        return Command(
            "group delete", "Delete a group, for all and for ever (owner); or drop the copy of a deleted one",
            examples: ["kachat-node group delete Family --yes", "kachat-node group delete Family --drop"],
            takes: [GroupNaming.group, account, Parameter.flag("--yes", "do not ask"), keep, drop],
            asks: """
                This deletes the group for all its members, for ever. Each keeps a read-only copy until it is dropped,
                which --drop does here at once; your own results stay as a file.
                """,
            at: [
                Endpoint(
                    "deleteGroup", .delete, "/v1/groups/{group}", .scope(.groupsWrite),
                    "Delete a group, for all members and for ever (owner)", takes: [GroupNaming.inPath, keep],
                    answer: changedGroup),
                Endpoint(
                    "dropGroup", .post, "/v1/groups/{group}/drop", .home,
                    "Delete a group (owner), or only the copy of a deleted one, and keep nothing but one's own results",
                    takes: [GroupNaming.inPath], fixed: [(drop, "")],
                    answer: .object(LeftGroup.self, shows: GroupText.dropped)),
            ]
        ) { call throws(NodeError) in
            let drops = call.has(drop)
            guard !(call.has(keep) && drops) else {
                throw .wrong(keep, "and \(parameter: drop.spec.name) exclude each other")
            }
            let group = try call.group()
            return changing { _ in
                // Whose copy it is may drop it, after the end.
                let isClosed = group.zone.state.isClosed || group.membership.state == .deleted
                if !(drops && isClosed) { try group.zone.close() }
                guard drops else { return Group(group, call.node) }
                var left = try leave(group, call.node)
                left.state = "dropped"
                return left
            }
        }
    }()
}
