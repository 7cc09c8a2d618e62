import LeaderboardShare
import Ledger
import Node
import NodeCore
package import NodeModel
import SyncState

/// `group …`: invitations and joins.
extension Command {
    private static let nearby = Parameter.flag(
        "--nearby", "without a token: both sides compare six digits (`group invite`, `group join`)")

    static let groupInvite: Command = {
        let role = Parameter.text("--role", MemberNaming.roles, "the role of people who join (default: member)")
        let expires = Parameter.text(
            "--expires", .form("7d", .lifetime),
            "lifetime in minutes, hours or days, such as 30m, 12h or 7d, or never (default: 7d)")
        let people = Parameter.number("--people", "N", 1...64, "how many people may join with it, 1 to 64 (default: 1)")
        let qr = Parameter.text("--qr", .form("FILE", .image), "write the QR code to FILE, which ends in .svg or .png")
        return Command(
            "group invite", "Create an invitation: a token or QR code that lets people join",
            examples: [
                "Family", "Family --role viewer --expires 12h --people 4 --qr family.svg",
                "Family --nearby           one person in the same room, by six digits",
            ],
            takes: [
                GroupNaming.group, account, role, expires, people, qr, force, nearby, PairingOperation.timeout,
            ],
            at: [
                Endpoint(
                    "invite", .post, "/v1/groups/{group}/invites", .scope(.groupsWrite),
                    "Create an invitation: a token that lets people join",
                    takes: [
                        GroupNaming.group, role, expires, people, qr.requested(.given, help: "include its QR code"),
                    ], answer: .object(MadeInvite.self)),
                Endpoint(
                    "inviteNearby", .post, "/v1/groups/{group}/invites/nearby", .home,
                    "Invite a person in the same room; sends a line at each change until it is over",
                    takes: [GroupNaming.group, role, PairingOperation.timeout], fixed: [(nearby, "")],
                    answer: .lines(of: PairingStatus.self)),
            ]
        ) { call in
            let role = try Ledger.Role(word: call[role] ?? Ledger.Role.member.word)
            let group = try call.group()
            if call.has(nearby) { return PairingOperation(call, goal: .giveGroup(group, role)) }
            let expires = try Lifetime.end(call[expires] ?? Lifetime.usual, from: call.clock.wall())
            return atOnce(changesData: true) { reply, _ in
                let token = try group.zone.invitations.invite(
                    role: role, people: call[people] ?? 1, expires: expires,
                    hints: call.node.network?.joinHints ?? [])
                reply.data(
                    MadeInvite {
                        ($0.token, $0.people) = (token.text, token.people)
                        ($0.role, $0.expiresAt) = (NodeModel.Role(rawValue: role.word), Lifetime.milliseconds(expires))
                        ($0.groupId, $0.title) = (group.zone.zone.hex, group.title)
                        if call.has(qr) { $0.qr = call.service.qr(token.text.uppercased())?.svg }
                    })
            }
        }
    }()

    static let groupInvites = Command(
        "group invites", "List the open invitations of a group", examples: ["Family"],
        takes: [GroupNaming.group, account],
        at: Endpoint(
            "invites", .get, "/v1/groups/{group}/invites", .scope(.groupsRead),
            answer: .list(of: Invite.self, as: GroupText.invites)),
        begin: listing { call in
            let group = try call.group()
            let names = Dictionary(uniqueKeysWithValues: group.zone.roster.members().map { ($0.id, $0.name) })
            return group.zone.invitations.open.map { open in
                Invite {
                    ($0.inviteId, $0.role) = (open.record.hex, NodeModel.Role(rawValue: open.invite.role.word))
                    ($0.people, $0.used) = (open.invite.keys.count, open.used.count)
                    $0.expiresAt = Lifetime.milliseconds(open.invite.expires)
                    ($0.issuer, $0.issuerId) = (names[open.issuer], open.issuer.hex)
                    $0.createdAt = (try? group.zone.membership.records.arrived(open.record)).flatMap(\.self)
                        .map { Int($0.milliseconds) }
                }
            }
        })

    static let groupRevokeInvite: Command = {
        let invite = Parameter.text("INVITE", .text("INVITE"), "its id, or the beginning of it")
        return Command(
            "group revoke-invite",
            "Revoke an invitation; people who joined with it stay (owner, and admins for their own)",
            examples: ["Family 4f21c0de"], takes: [GroupNaming.group, invite, account],
            at: Endpoint(
                "revokeInvite", .delete, "/v1/groups/{group}/invites/{invite}", .scope(.groupsWrite),
                answer: .object(Group.self) { group, output in
                    output.line(
                        "The invitation is revoked: nobody can join \(Terminal.harmless(group.title)) by it any more.")
                }),
            begin: changingGroup { call, group in
                let name = try call.need(invite)
                try group.zone.invitations.revoke(try call.named(invite) { try group.invitation(named: name) })
            })
    }()

    /// The command line does it itself, so that it works offline and without a home.
    package static let groupInspect: Command = {
        let token = Parameter.texts("TOKEN", .text("TOKEN"))
        return Command(
            "group inspect", "Show what an invitation contains (works offline)",
            examples: ["kachat:…"], takes: [token], on: .node,
            at: Endpoint(
                "inspectInvite", .post, "/v1/invites/inspect", .scope(.groupsRead), "Show what an invitation contains",
                takes: [token.requested(help: "kachat:…")], answer: .object(InspectedInvite.self)),
            begin: reading { call in try InspectedInvite(text: try call.need(token).joined(separator: " ")) })
    }()

    static let groupJoin: Command = {
        let token = Parameter.texts("TOKEN", .text("TOKEN")).optional
        return Command(
            "group join", "Join a group with an invitation; waits for a member if none is in reach",
            examples: [
                "kachat:…", "kachat:… --name Ben", "--nearby                    with a member in the same room",
            ],
            takes: [token, account, JoinOperation.name, JoinOperation.wait, nearby, PairingOperation.timeout],
            at: [
                Endpoint(
                    "joinGroup", .post, "/v1/groups/join", .scope(.groupsWrite),
                    takes: [token.required.requested(help: "kachat:…"), JoinOperation.name, JoinOperation.wait],
                    answer: .object(JoinedGroup.self, shows: GroupText.joined)),
                Endpoint(
                    "joinGroupNearby", .post, "/v1/groups/join/nearby", .home,
                    "Join the group of a member in the same room; sends a line at each change until it is over",
                    takes: [JoinOperation.name, JoinOperation.wait, PairingOperation.timeout],
                    fixed: [(nearby, "")], answer: .lines(of: Either<JoinedGroup, PairingStatus>.self)),
            ]
        ) { call in
            let account = try call.account
            if call.has(nearby) { return PairingOperation(call, goal: .takeGroup(account)) }
            guard let words = call[token] else {
                throw NodeError(
                    .usage,
                    "give an invitation, or use \(parameter: nearby.spec.name) with a member in the same room")
            }
            return JoinOperation(call, account, try GroupToken(text: words.joined(separator: " ")))
        }
    }()
}

extension InspectedInvite {
    package init(text: String) throws {
        self.init()
        let token = try GroupToken(text: text)
        (title, groupId) = (token.title, token.group.hex)
        (inviteId, people) = (token.invite.hex, token.tickets.count)
    }
}

extension SplitInvite {
    /// - Parameter people: for how many the new part is.
    package init(text: String, people count: Int) throws {
        self.init()
        let (cut, remaining) = try GroupToken(text: text).split(people: count)
        (token, people) = (cut.text, cut.tickets.count)
        (rest, restPeople) = (remaining.text, remaining.tickets.count)
        (title, groupId) = (cut.title, cut.group.hex)
    }
}

extension NodeGroup {
    fileprivate func invitation(named text: String) throws(NodeError) -> RecordHash {
        try Naming<RecordHash>("invitation", list: "kachat-node group invites", ids: { [$0.hex] })
            .find(text, in: zone.invitations.open.map(\.record))
    }
}
