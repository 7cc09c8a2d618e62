import Chat
import LeaderboardShare
import Node
import NodeCore
import SyncState

/// `group …`
extension OperationFactory {
    func groupOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        switch request.command {
        case "group create": return try create(request)
        case "group list":
            let account = try account(request)
            return ImmediateOperation { [node] reply, _ in
                for line in GroupReport.list(account, node, isAll: request.has("--all")) { reply.data(line) }
            }
        case "group show":
            return try reading(request) { group, node in
                var fields = GroupReport(group: group, node: node).fields
                if request.has("--problems") {
                    fields["problems"] = try GroupReport(group: group, node: node).problems()
                }
                return [.object(fields)]
            }
        case "group members":
            return try reading(request) { group, _ in
                group.zone.memberList(withRemoved: request.has("--all")).map(\.json)
            }
        case "group invites": return try reading(request) { group, _ in GroupReport.invitations(group) }
        case "group invite": return try invite(request)
        case "group join": return try JoinOperation(node: node, account: account(request), request: request)
        default: return try groupChange(request)
        }
    }

    /// Commands that do one thing to a group, and answer with what it is then.
    private func groupChange(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        let text = { (name: String) in request.text(name) ?? "" }
        switch request.command {
        case "group rename":
            return try changing(request) { group, _ in
                let description = request.text("--description") ?? group.zone.state.title?.description ?? ""
                try group.zone.rename(text("TITLE"), description: description)
            }
        case "group set-name":
            return try changing(request) { try $0.zone.setName(text("NAME"), wall: $1.clock.wall()) }
        case "group revoke-invite":
            return try changing(request) { group, _ in
                try group.zone.revoke(GroupReport.invitation(named: text("INVITE"), in: group))
            }
        case "group remove": return try changing(request, withFormer: true, member: GroupZone.remove)
        case "group suspend": return try changing(request, member: GroupZone.suspend)
        case "group unsuspend": return try changing(request, member: GroupZone.unsuspend)
        case "group set-role":
            let role = try Role(word: text("ROLE"))
            return try changing(request) { zone in { try zone.set(role, of: $0) } }
        case "group transfer": return try transfer(request)
        case "group pause":
            let by = try pausedBy(request)
            return try changing(request) { try $0.zone.pause(by: by, wall: $1.clock.wall()) }
        case "group resume": return try changing(request) { group, _ in try group.zone.resume() }
        case "group leave": return try leave(request)
        case "group delete": return try delete(request)
        default: return nil
        }
    }

    private func create(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let account = try account(request)
        return ImmediateOperation(changesData: true) { [node] reply, _ in
            let group = try node.groups.found(
                title: request.text("TITLE") ?? "", description: request.text("--description") ?? "", account: account)
            reply.data(
                .object([
                    "groupId": .string(group.zone.zone.hex), "title": .string(group.title),
                    "memberId": .string(group.zone.member.hex),
                ]))
        }
    }

    private func invite(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let role = try Role(word: request.text("--role") ?? Role.member.word)
        let expires = try Lifetime.end(request.text("--expires") ?? Lifetime.usual, from: node.clock.wall())
        let uses = request.number("--uses").map { UInt32(clamping: $0) } ?? Delegation.unlimited
        let group = try group(request)
        return ImmediateOperation(changesData: true) { [node] reply, _ in
            let token = try group.zone.invite(
                role: role, expiresSeconds: expires, uses: uses, hints: node.network?.joinHints ?? [])
            var fields = token.rights.fields
            fields["token"] = .string(token.text)
            fields["groupId"] = .string(group.zone.zone.hex)
            fields["title"] = .string(group.title)
            if request.has("--qr") { fields["qr"] = .optional(service.qr(token.text.uppercased())?.svg) }
            reply.data(.object(fields))
        }
    }

    private func transfer(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        if request.has("--accept") {
            return try changing(request) { group, _ in try group.zone.acceptOwnership() }
        }
        guard request.has("MEMBER") else {
            throw NodeError(.usage, "say to whom, or --accept what was offered to you")
        }
        return try changing(request, member: GroupZone.offerOwnership)
    }

    private func leave(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let account = try account(request)
        if let join = try pendingJoin(request, account) {
            return ImmediateOperation(changesData: true) { [node] reply, _ in
                try node.groups.forgetJoin(of: join.group, account)
                reply.data(
                    .object([
                        "groupId": .string(join.group.hex), "title": .string(join.pending.token.title),
                        "state": .string("left"),
                    ]))
            }
        }
        let group = try group(request)
        return ImmediateOperation(changesData: true) { [node] reply, _ in
            if group.isIn, !group.zone.state.isClosed, group.zone.state.owner == group.zone.member {
                throw NodeError(
                    .notAllowed, "the owner leaves after `group transfer` or `group delete`: nobody else could lead it")
            }
            reply.data(try leave(group, node))
        }
    }

    private func leave(_ group: NodeGroup, _ node: LocalNode) throws -> JSONValue {
        let fields: [String: JSONValue] = [
            "groupId": .string(group.zone.zone.hex), "title": .string(group.title), "state": .string("left"),
            "scoresFile": .string(LeftScores(home: node.home, handle: group.placeID).path),
        ]
        try node.groups.leave(group)
        return .object(fields)
    }

    /// By its owner, for all; and by any member of a deleted group, the copy that is here.
    private func delete(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let (keeps, drops) = (request.has("--keep"), request.has("--drop"))
        guard !(keeps && drops) else { throw NodeError(.usage, "--keep and --drop exclude each other") }
        let group = try group(request)
        return ImmediateOperation(changesData: true) { [node] reply, _ in
            // Whose copy it is may drop it, after the end.
            let isClosed = group.zone.state.isClosed || group.membership.state == .deleted
            if !(drops && isClosed) { try group.zone.close() }
            guard drops else { return reply.data(.object(GroupReport(group: group, node: node).fields)) }
            guard case .object(var fields) = try leave(group, node) else { return }
            fields["state"] = .string("dropped")
            reply.data(.object(fields))
        }
    }

    /// The join that is meant, where the account waits to be let in. Who invites has chosen its title: one that others
    /// have, too, names none of them.
    private func pendingJoin(_ request: ControlRequest, _ account: NodeAccount) throws(NodeError) -> NodeJoin? {
        let name = (request.text("GROUP") ?? "").lowercased()
        let joins = account.joins.filter { join in
            join.pending.token.title.lowercased() == name || name.utf8.count >= 4 && join.group.hex.hasPrefix(name)
        }
        guard let join = joins.first else { return nil }
        let groups = joins.map(\.group) + [(try? group(request))?.zone.zone].compactMap(\.self)
        guard groups.allSatisfy({ $0 == join.group }) else {
            let ids = groups.map(\.shortHex).joined(separator: ", ")
            throw NodeError(.usage, "several groups are meant by `\(name)`: give the beginning of an id: \(ids)")
        }
        return join
    }

    // MARK: Shapes

    /// The group that the request names.
    package func group(_ request: ControlRequest) throws(NodeError) -> NodeGroup {
        try node.groups.group(named: request.text("GROUP") ?? request.text("--group") ?? "", of: try account(request))
    }

    private func reading(
        _ request: ControlRequest, _ body: @escaping (NodeGroup, LocalNode) throws -> [JSONValue]
    ) throws(NodeError) -> any ControlOperation {
        let group = try group(request)
        return ImmediateOperation { [node] reply, _ in for line in try body(group, node) { reply.data(line) } }
    }

    private func changing(
        _ request: ControlRequest, _ body: @escaping (NodeGroup, LocalNode) throws -> Void
    ) throws(NodeError) -> any ControlOperation {
        let group = try group(request)
        return ImmediateOperation(changesData: true) { [node] reply, _ in
            try body(group, node)
            reply.data(.object(GroupReport(group: group, node: node).fields))
        }
    }

    /// About one member, who is told in the answer.
    private func changing(
        _ request: ControlRequest, withFormer: Bool = false,
        member body: @escaping (GroupZone) -> (MemberID) throws -> Void
    ) throws(NodeError) -> any ControlOperation {
        let group = try group(request)
        let member = try group.member(named: request.text("MEMBER") ?? "", withFormer: withFormer)
        return ImmediateOperation(changesData: true) { reply, _ in
            try body(group.zone)(member.id)
            let now = group.zone.memberList(withRemoved: true).first { $0.id == member.id } ?? member
            reply.data(now.json)
        }
    }
}
