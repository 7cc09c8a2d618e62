import LeaderboardShare
package import Node
import NodeCore
import NodeModel

package enum RoleNaming {
    package static let roles = ValueKind.choice("admin|member|viewer", ["admin", "member", "viewer"])
}

/// `group …`: how people come in.
extension Command {
    private static let nearby = Parameter.flag(
        "--nearby", "instead of a text: both of you compare six digits (`group invite`, `group join`)")

    static let groupInvite: Command = {
        let role = Parameter.text("--role", RoleNaming.roles, "what who joins may do (default: member)")
        let expires = Parameter(InviteOptions.expires) { $0.first }
        let uses = Parameter(InviteOptions.uses) { $0.first.flatMap { UInt32($0) } }
        let qr = Parameter.text(
            "--qr", .form("FILE", .image), "write the QR code to FILE, which ends in .svg or .png")
        return Command(
            "group invite", "Make an invitation: a text or QR code that lets people in",
            examples: [
                "kachat-node group invite Family",
                "kachat-node group invite Family --role viewer --expires 12h --uses 1 --qr family.svg",
                "kachat-node group invite Family --nearby           one person in the same room, by six digits",
            ],
            takes: [
                GroupNaming.group, account, role, expires, uses, qr,
                Parameter.flag("--force", "replace the file that is there"), nearby, PairingOperation.timeout,
            ],
            at: [
                Endpoint(
                    "invite", .post, "/v1/groups/{group}/invites", .scope(.groupsWrite),
                    "Make an invitation: a text that lets people in",
                    takes: [
                        GroupNaming.inPath, role, expires, uses, qr.requested(.given, help: "with its QR code"),
                    ], answer: .object(MadeInvite.self)),
                Endpoint(
                    "inviteNearby", .post, "/v1/groups/{group}/invites/nearby", .home,
                    "Let a person in the room in; a line each time that something changes, until it is over",
                    takes: [GroupNaming.inPath, role, PairingOperation.timeout], fixed: [(nearby, "")],
                    answer: .lines(of: PairingStatus.self)),
            ]
        ) { call throws(NodeError) in
            let role = try LeaderboardShare.Role(word: call[role] ?? LeaderboardShare.Role.member.word)
            let group = try call.group()
            if call.has(nearby) { return PairingOperation(call, goal: .giveGroup(group, role)) }
            let expires = try Lifetime.end(call[expires] ?? Lifetime.usual, from: call.clock.wall())
            return changing { _ in
                let token = try group.zone.invite(
                    role: role, expiresSeconds: expires, uses: call[uses] ?? Delegation.unlimited,
                    hints: call.node.network?.joinHints ?? [])
                var made = MadeInvite()
                made.token = token.text
                made.role = NodeModel.Role(rawValue: token.rights.role.word)
                made.expiresAt = token.rights.expiresAt
                made.uses = token.rights.mostUses
                made.groupId = group.zone.zone.hex
                made.title = group.title
                if call.has(qr) { made.qr = call.service.qr(token.text.uppercased())?.svg }
                return made
            }
        }
    }()

    static let groupInvites = Command(
        "group invites", "List the open invitations of a group", examples: ["kachat-node group invites Family"],
        takes: [GroupNaming.group, account],
        at: [
            Endpoint(
                "invites", .get, "/v1/groups/{group}/invites", .scope(.groupsRead), "The open invitations of a group",
                takes: [GroupNaming.inPath], answer: .list(of: Invite.self, shows: GroupText.invite))
        ]
    ) { call throws(NodeError) in
        let group = try call.group()
        return listing {
            let names = Dictionary(uniqueKeysWithValues: group.zone.memberList().map { ($0.id, $0.name) })
            return group.zone.state.openInvitations.compactMap { record in
                guard case .invite(let link) = record.act else { return nil }
                var invite = Invite()
                invite.inviteId = record.hash.hex
                invite.role = NodeModel.Role(rawValue: link.role.word)
                invite.expiresAt = link.expiresAt
                invite.uses = link.mostUses
                invite.used = group.zone.state.admissions(under: record.hash)
                invite.issuer = names[record.by]
                invite.issuerId = record.by.hex
                invite.createdAt = Int(record.claimedAt.milliseconds)
                return invite
            }
        }
    }

    static let groupRevokeInvite: Command = {
        let invite = Parameter.text("INVITE", .text("INVITE"))
        return Command(
            "group revoke-invite", "End an invitation; who came in by it stays (owner)",
            examples: ["kachat-node group revoke-invite Family 4f21c0de"], takes: [GroupNaming.group, invite, account],
            at: [
                Endpoint(
                    "revokeInvite", .delete, "/v1/groups/{group}/invites/{invite}", .scope(.groupsWrite),
                    "End an invitation; who came in by it stays (owner)",
                    takes: [GroupNaming.inPath, invite.requested(help: "its id, or the beginning of it")],
                    answer: .object(Group.self, shows: GroupText.inFull))
            ]
        ) { call throws(NodeError) in
            let (group, name) = (try call.group(), try call.need(invite))
            return changing { _ in
                try group.zone.revoke(try group.invitation(named: name))
                return Group(group, call.node)
            }
        }
    }()

    static let groupJoin: Command = {
        let token = Parameter.texts("TOKEN", .text("TOKEN"))
        return Command(
            "group join", "Join a group by an invitation; waits for a member if none is in reach",
            examples: [
                "kachat-node group join kachat:…", "kachat-node group join kachat:… --name Ben",
                "kachat-node group join --nearby                    with a member in the same room",
            ],
            takes: [token, account, JoinOperation.name, JoinOperation.wait, nearby, PairingOperation.timeout],
            at: [
                Endpoint(
                    "joinGroup", .post, "/v1/groups/join", .scope(.groupsWrite),
                    "Join a group by an invitation; waits for a member if none is in reach",
                    takes: [
                        token.required.requested(help: "kachat:…"), JoinOperation.name, JoinOperation.requestedWait,
                    ], answer: .object(JoinedGroup.self, shows: GroupText.joined)),
                Endpoint(
                    "joinGroupNearby", .post, "/v1/groups/join/nearby", .home,
                    "Join the group of a member in the room; a line each time that something changes, until it is over",
                    takes: [JoinOperation.name, JoinOperation.requestedWait, PairingOperation.timeout],
                    fixed: [(nearby, "")], answer: .lines(of: Either<JoinedGroup, PairingStatus>.self)),
            ]
        ) { call throws(NodeError) in
            let account = try call.account
            if call.has(nearby) { return PairingOperation(call, goal: .takeGroup(account)) }
            guard let words = call[token] else {
                throw NodeError(
                    .usage,
                    "an invitation is needed, or \(parameter: nearby.spec.name) with a member in the same room")
            }
            do {
                return JoinOperation(call, account, try GroupToken(text: words.joined(separator: " ")))
            } catch {
                throw NodeError(cause: error)
            }
        }
    }()
}

/// What an invitation allows. Who makes one says it, and who narrows one.
package enum InviteOptions {
    package static let expires = ParameterSpec(
        "--expires", .form("7d", .lifetime),
        help: "for how long: minutes, hours or days as 30m, 12h, 7d, or never (default: 7d)")
    package static let uses = ParameterSpec(
        "--uses", .number("N", 1...1_000_000), help: "how many people may join with it (default: any number)")
}

extension NodeGroup {
    fileprivate func invitation(named text: String) throws(NodeError) -> RecordHash {
        let wanted = text.lowercased()
        let found = zone.state.openInvitations.map(\.hash).filter { $0.hex.hasPrefix(wanted) }
        guard let first = found.first else {
            throw NodeError(
                .notFound, "no open invitation begins with `\(text)`\(advice: "; see `kachat-node group invites`")")
        }
        guard found.count == 1 else {
            throw NodeError(.usage, "several invitations begin with `\(text)`; give more of it")
        }
        return first
    }
}
