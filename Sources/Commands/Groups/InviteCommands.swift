import LeaderboardShare
package import Node
import NodeCore
import NodeModel

package enum RoleNaming {
    package static let roles = ValueKind.choice("admin|member|viewer", ["admin", "member", "viewer"])
}

/// `group …`: invitations and joins.
extension Command {
    private static let nearby = Parameter.flag(
        "--nearby", "without a token: both sides compare six digits (`group invite`, `group join`)")

    static let groupInvite: Command = {
        let role = Parameter.text("--role", RoleNaming.roles, "the role of people who join (default: member)")
        let expires = Parameter(InviteOptions.expires) { $0.first }
        let uses = Parameter(InviteOptions.uses) { $0.first.flatMap { UInt32($0) } }
        let qr = Parameter.text(
            "--qr", .form("FILE", .image), "write the QR code to FILE, which ends in .svg or .png")
        return Command(
            "group invite", "Create an invitation: a token or QR code that lets people join",
            examples: [
                "kachat-node group invite Family",
                "kachat-node group invite Family --role viewer --expires 12h --uses 1 --qr family.svg",
                "kachat-node group invite Family --nearby           one person in the same room, by six digits",
            ],
            takes: [
                GroupNaming.group, account, role, expires, uses, qr, force, nearby, PairingOperation.timeout,
            ],
            at: [
                Endpoint(
                    "invite", .post, "/v1/groups/{group}/invites", .scope(.groupsWrite),
                    "Create an invitation: a token that lets people join",
                    takes: [
                        GroupNaming.group, role, expires, uses, qr.requested(.given, help: "include its QR code"),
                    ], answer: .object(MadeInvite.self)),
                Endpoint(
                    "inviteNearby", .post, "/v1/groups/{group}/invites/nearby", .home,
                    "Invite a person in the same room; sends a line at each change until it is over",
                    takes: [GroupNaming.group, role, PairingOperation.timeout], fixed: [(nearby, "")],
                    answer: .lines(of: PairingStatus.self)),
            ]
        ) { call in
            let role = try LeaderboardShare.Role(word: call[role] ?? LeaderboardShare.Role.member.word)
            let group = try call.group()
            if call.has(nearby) { return PairingOperation(call, goal: .giveGroup(group, role)) }
            let expires = try Lifetime.end(call[expires] ?? Lifetime.usual, from: call.clock.wall())
            return changing { _ in
                let token = try group.zone.invite(
                    role: role, expiresSeconds: expires, uses: call[uses] ?? Delegation.unlimited,
                    hints: call.node.network?.joinHints ?? [])
                return MadeInvite {
                    $0.token = token.text
                    $0.role = NodeModel.Role(rawValue: token.rights.role.word)
                    ($0.expiresAt, $0.uses) = (token.rights.expiresAt, token.rights.mostUses)
                    ($0.groupId, $0.title) = (group.zone.zone.hex, group.title)
                    if call.has(qr) { $0.qr = call.service.qr(token.text.uppercased())?.svg }
                }
            }
        }
    }()

    static let groupInvites = Command(
        "group invites", "List the open invitations of a group", examples: ["kachat-node group invites Family"],
        takes: [GroupNaming.group, account],
        at: Endpoint(
            "invites", .get, "/v1/groups/{group}/invites", .scope(.groupsRead),
            answer: .list(of: Invite.self, shows: GroupText.invite))
    ) { call in
        let group = try call.group()
        return listing {
            let names = Dictionary(uniqueKeysWithValues: group.zone.memberList().map { ($0.id, $0.name) })
            return group.zone.state.openInvitations.compactMap { record in
                guard case .invite(let link) = record.act else { return nil }
                return Invite {
                    $0.inviteId = record.hash.hex
                    $0.role = NodeModel.Role(rawValue: link.role.word)
                    ($0.expiresAt, $0.uses) = (link.expiresAt, link.mostUses)
                    $0.used = group.zone.state.admissions(under: record.hash)
                    ($0.issuer, $0.issuerId) = (names[record.by], record.by.hex)
                    $0.createdAt = Int(record.claimedAt.milliseconds)
                }
            }
        }
    }

    static let groupRevokeInvite: Command = {
        let invite = Parameter.text("INVITE", .text("INVITE"), "its id, or the beginning of it")
        return Command(
            "group revoke-invite", "Revoke an invitation; people who joined with it stay (owner)",
            examples: ["kachat-node group revoke-invite Family 4f21c0de"], takes: [GroupNaming.group, invite, account],
            at: Endpoint(
                "revokeInvite", .delete, "/v1/groups/{group}/invites/{invite}", .scope(.groupsWrite),
                answer: .object(Group.self, shows: GroupText.inFull))
        ) { call in
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
            "group join", "Join a group with an invitation; waits for a member if none is in reach",
            examples: [
                "kachat-node group join kachat:…", "kachat-node group join kachat:… --name Ben",
                "kachat-node group join --nearby                    with a member in the same room",
            ],
            takes: [token, account, JoinOperation.name, JoinOperation.wait, nearby, PairingOperation.timeout],
            at: [
                Endpoint(
                    "joinGroup", .post, "/v1/groups/join", .scope(.groupsWrite),
                    takes: [
                        token.required.requested(help: "kachat:…"), JoinOperation.name, JoinOperation.wait,
                    ], answer: .object(JoinedGroup.self, shows: GroupText.joined)),
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

/// The limits of an invitation, set when it is created or narrowed.
package enum InviteOptions {
    package static let expires = ParameterSpec(
        "--expires", .form("7d", .lifetime),
        help: "lifetime in minutes, hours or days, such as 30m, 12h or 7d, or never (default: 7d)")
    package static let uses = ParameterSpec(
        "--uses", .number("N", 1...1_000_000), help: "maximum number of people who join with it (default: no limit)")
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
            throw NodeError(.usage, "several invitations begin with `\(text)`; give more of the id")
        }
        return first
    }
}
