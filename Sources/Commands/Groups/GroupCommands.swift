import Chat
import LeaderboardShare
import Ledger
import Node
import NodeCore
import NodeModel
import SyncState

/// `group …`: groups, and the user's membership.
extension Command {
    static let groups: [Command] =
        [
            groupCreate, groupList, groupShow, groupMembers, groupRename, groupSetName, groupInvite, groupInvites,
            groupRevokeInvite, groupInspect, groupJoin,
        ] + memberChanges + [groupSuccessor, groupFollow, groupPause, groupResume, groupLeave, groupDelete]

    private static let title = Parameter.text("TITLE", .form("TITLE", .title))
    private static let description = Parameter.text(
        "--description", .form("D", .paragraph), "a description of the group")

    static let groupCreate = Command(
        "group create", "Create a group for a leaderboard; you are its owner",
        examples: ["Family --description words"], takes: [title, account, description],
        at: Endpoint("createGroup", .post, "/v1/groups", .scope(.groupsWrite), answer: .object(FoundedGroup.self)),
        begin: changing { call, _ in
            let account = try call.account
            let title = try call.need(title)
            let group = try call.node.groups.found(title: title, description: call[description] ?? "", account: account)
            return FoundedGroup {
                ($0.groupId, $0.title, $0.memberId) = (group.zone.zone.hex, group.title, group.zone.member.hex)
            }
        })

    static let groupList: Command = {
        let all = Parameter.flag("--all", "include groups that you left")
        return Command(
            "group list", "List the groups of the account", examples: ["", "--all --json"], takes: [account, all],
            at: Endpoint(
                "groups", .get, "/v1/groups", .scope(.groupsRead), answer: .list(of: Group.self, as: GroupText.list)),
            begin: listing { call in Group.all(of: try call.account, call.node, withGone: call.has(all)) })
    }()

    static let groupShow: Command = {
        let problems = Parameter.flag("--problems", "invalid records and proofs of misbehaviour")
        return Command(
            "group show", "Show a group: owner, members, keys and problems", examples: ["Family", "Family --problems"],
            takes: [GroupNaming.group, account, problems],
            at: Endpoint(
                "group", .get, "/v1/groups/{group}", .scope(.groupsRead),
                answer: .object(Group.self, shows: GroupText.inFull)),
            begin: reading { call in
                let group = try call.group()
                var shown = Group(group, call.node)
                if call.has(problems) { shown.problems = try GroupProblems(group, call.node) }
                return shown
            })
    }()

    // MARK: Changes

    /// Changes the group and answers with its new state.
    static func changingGroup(_ body: @escaping @Sendable (Call, NodeGroup) throws -> Void) -> Begin {
        changing { call, _ in
            let group = try call.group()
            try body(call, group)
            return Group(group, call.node)
        }
    }

    static let changedGroup = Answer.object(Group.self, shows: GroupText.inFull)

    static let groupRename = Command(
        "group rename", "Rename a group (owner)", examples: ["Family Clan"],
        takes: [GroupNaming.group, title, account, description],
        at: Endpoint("renameGroup", .patch, "/v1/groups/{group}", .scope(.groupsWrite), answer: changedGroup),
        begin: changingGroup { call, group in
            let title = try call.need(title)
            let description = call[description] ?? group.zone.roster.title?.description ?? ""
            try group.zone.roster.rename(title, description: description)
        })

    static let groupSetName: Command = {
        let name = Parameter.text("NAME", .form("NAME", .title))
        return Command(
            "group set-name", "Set your name in a group",
            examples: ["Family Anna"], takes: [GroupNaming.group, name, account],
            at: Endpoint(
                "setNameInGroup", .put, "/v1/groups/{group}/name", .scope(.groupsWrite),
                answer: .object(Group.self, shows: GroupText.named)),
            begin: changingGroup { try $1.zone.roster.setName(try $0.need(name), wall: $0.clock.wall()) })
    }()

    static let groupPause: Command = {
        let by = Parameter.text(
            "--by", .line("WHO", bytes: SyncState.Limits.pausedByBytes), "the name that is shown (default: you)")
        return Command(
            "group pause", "Pause sync of a group; your posts wait",
            examples: ["Family"], takes: [GroupNaming.group, account, by],
            at: Endpoint("pauseGroup", .post, "/v1/groups/{group}/pause", .scope(.groupsWrite), answer: changedGroup),
            begin: changingGroup { try $1.zone.pause(by: $0[by] ?? "you", wall: $0.clock.wall()) })
    }()

    static let groupResume = Command(
        "group resume", "Resume sync of a group", examples: ["Family"], takes: [GroupNaming.group, account],
        at: Endpoint("resumeGroup", .post, "/v1/groups/{group}/resume", .scope(.groupsWrite), answer: changedGroup),
        begin: changingGroup { try $1.zone.resume() })

    // MARK: The successor

    static let groupSuccessor: Command = {
        let title = Parameter.text("--title", .form("TITLE", .title), "the title of the new group (default: the same)")
        let of = Parameter.text(
            "--of", .text("MEMBER"), "close this group in favour of the one that MEMBER offers, or whose id this is")
        return Command(
            "group successor", "Create a group that replaces another one, and offer it to all members",
            examples: [
                "Family                 you are the owner of the new one",
                "Family --of Ben        its owner agrees: the members follow Ben",
            ], takes: [GroupNaming.group, account, title, of, yes],
            asks: """
                If you own the group, this closes it for good, also with --of: nobody posts there any more, and its
                members move to the new one. Results of days that are still open come along; the others stay here, to be
                read. If you do not own it, this only offers the new one to the members.
                """,
            at: Endpoint(
                "succeedGroup", .post, "/v1/groups/{group}/successor", .scope(.groupsWrite),
                takes: [GroupNaming.group, title, of],
                answer: .object(SuccessorGroup.self, shows: GroupText.successor)),
            begin: changing { call, _ in
                let old = try call.group()
                guard call.has(of) else {
                    let new = try call.node.groups.succeed(old, title: call[title])
                    return SuccessorGroup {
                        ($0.groupId, $0.title, $0.closed) = (new.zone.zone.hex, new.title, old.zone.state.isClosed)
                    }
                }
                try call.node.groups.close(old, with: try old.offers(named: of, in: call))
                let new = old.zone.successor.chosen?.group
                let here = call.node.accounts.lazy.flatMap(\.groups).first { $0.zone.zone == new }
                return SuccessorGroup {
                    $0.groupId = new?.hex ?? ""
                    $0.title = here?.title ?? new.map { "the group \($0.shortHex)" } ?? ""
                    $0.closed = true
                }
            })
    }()

    static let groupFollow: Command = {
        let of = Parameter.text(
            "--of", .text("MEMBER"), "whose offer to take if there are several, or the new group's id")
        return Command(
            "group follow", "Move to the group that replaces this one, now", examples: ["Family", "Family --of Ben"],
            takes: [GroupNaming.group, account, of],
            at: Endpoint(
                "followGroup", .post, "/v1/groups/{group}/follow", .scope(.groupsWrite),
                answer: .object(JoinedGroup.self, shows: GroupText.joined)),
            begin: changing { call, _ in
                let old = try call.group()
                let offers = call.has(of) ? try old.offers(named: of, in: call) : nil
                let join = try call.node.groups.follow(old, to: offers)
                return JoinedGroup {
                    ($0.groupId, $0.title, $0.state) = (join.group.hex, join.pending.token.title, "pending")
                    ($0.waitsFor, $0.sentence) = (join.waitsFor, "pending: " + join.waitsFor)
                }
            })
    }()

    // MARK: The end

    static let groupLeave = Command(
        "group leave", "Leave a group; this device keeps only your own results, in a file",
        examples: ["Family", "Family --yes"], takes: [GroupNaming.group, account, yes],
        asks: """
            This deletes the group's data on this device, except for a file with your own results. The other members
            keep what you posted. To come back you need a new invitation.
            """,
        at: Endpoint(
            "leaveGroup", .post, "/v1/groups/{group}/leave", .scope(.groupsWrite), takes: [GroupNaming.certainGroup],
            answer: .object(LeftGroup.self, shows: GroupText.left)),
        begin: changing { call, _ in
            let account = try call.account
            let named = try call.named(GroupNaming.group) {
                try call.node.groups.named(call[GroupNaming.group] ?? "", of: account, joins: true)
            }
            if case .join(let join) = named {
                try call.node.groups.forgetJoin(of: join.group, account)
                return LeftGroup { ($0.groupId, $0.title) = (join.group.hex, join.pending.token.title) }
            }
            let group = try call.group()
            if group.isIn, !group.zone.state.isClosed, group.zone.state.owner == group.zone.member {
                let commands = ["successor", "delete"].map { word in
                    call.node.command("group \(word) \(Program.quoted(group.title))", for: group.owner)
                }
                throw NodeError(
                    .notAllowed,
                    """
                    the owner cannot leave the group: create a successor or delete the group first\
                    \(advice: " (\(commands.joined(separator: ", ")))")
                    """)
            }
            return try leave(group, call.node)
        })

    private static func leave(_ group: NodeGroup, _ node: LocalNode) throws -> LeftGroup {
        let kept = LeftScores(home: node.home, handle: group.placeID)
        let own = try OwnResults(of: group.zone).all
        let hasResults = kept.lines() != nil || own.contains { !$0.score.isRemoved }
        let left = LeftGroup {
            ($0.groupId, $0.title) = (group.zone.zone.hex, group.title)
            $0.scoresFile = hasResults ? kept.path : nil
        }
        try node.groups.leave(group)
        return left
    }

    /// The owner deletes the group for all; any member of a deleted group can drop the local copy.
    static let groupDelete: Command = {
        let keep = Parameter.flag("--keep", "keep a read-only copy here (the default)")
        let drop = Parameter.flag("--drop", "keep only a file with your own results")
        return Command(
            "group delete", "Delete a group for everyone, permanently (owner); or drop the copy of a deleted group",
            examples: ["Family --yes", "Family --drop"], takes: [GroupNaming.group, account, yes, keep, drop],
            asks: """
                This permanently deletes the group for all its members. Results that have not reached this device by
                then count for nobody any more: `sync --wait` fetches them first. Each member keeps a read-only copy
                until they drop it; --drop drops yours at once. Your own results stay in a file.
                """,
            at: [
                Endpoint(
                    "deleteGroup", .delete, "/v1/groups/{group}", .scope(.groupsWrite),
                    "Delete a group for everyone, permanently (owner)", takes: [GroupNaming.certainGroup, keep],
                    answer: changedGroup),
                Endpoint(
                    "dropGroup", .post, "/v1/groups/{group}/drop", .home,
                    "Delete a group (owner), or only the copy of a deleted group; keep only your own results",
                    takes: [GroupNaming.group], fixed: [(drop, "")],
                    answer: .object(LeftGroup.self, shows: GroupText.dropped)),
            ],
            begin: changing { call, _ in
                let drops = call.has(drop)
                guard !(call.has(keep) && drops) else {
                    throw NodeError.wrong(keep, "and \(parameter: drop.spec.name) exclude each other")
                }
                let group = try call.group()
                // After the end of a group any member may drop the copy.
                let isClosed = group.zone.state.isClosed || group.membership.state.isDeleted
                if !(drops && isClosed) { try group.zone.roster.close() }
                guard drops else { return Group(group, call.node) }
                var left = try leave(group, call.node)
                left.state = "dropped"
                return left
            })
    }()
}
