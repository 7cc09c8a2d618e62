import Chat
import Gossip
package import JSONLines
import LeaderboardShare
import Node
import NodeCore
import SyncState

/// What commands tell of a group.
struct GroupReport {
    package let group: NodeGroup
    package let node: LocalNode

    private var zone: GroupZone { group.zone }

    package var fields: [String: JSONValue] {
        let state = zone.state
        let owner = state.owner
        let members = zone.memberList()
        let isIn = state.members[zone.member] != nil
        return [
            "groupId": .string(zone.zone.hex), "title": .string(group.title),
            "description": .string(state.title?.description ?? ""), "state": .string(stateWord),
            "memberId": .string(zone.member.hex), "role": .optional(state.members[zone.member]?.word),
            "name": .optional(members.first(where: \.isMe)?.name),
            "ownerId": .optional(owner?.hex), "owner": .optional(members.first { $0.id == owner }?.name),
            "createdAt": .optional(state.genesis?.claimedAt.milliseconds),
            "joinedAt": .int(group.membership.joinedAt.milliseconds),
            "deletedAt": .optional(zone.closedAt?.milliseconds),
            "members": .number(members.count), "games": .number(zone.catalogue.games.count),
            "epochs": .number(zone.ring.epochs.count), "isDisputed": .bool(state.isDisputed),
            "offeredTo": .array(zone.offeredTo.map { .string($0.hex) }),
            "paused": .bool(zone.pause != nil), "pausedBy": .optional(zone.pause?.by),
            "pausedSince": .optional(zone.pause?.since.milliseconds),
            "connected": .number(node.network?.served(group)?.sync.peers.count ?? 0),
            "sync": .string(sync), "sentence": .string(sentence(isIn: isIn)),
        ]
    }

    /// `joined`, `joining`, `lapsed`, `removed`, `deleted`.
    private var stateWord: String {
        let state = zone.state
        if state.isClosed || group.membership.state == .deleted { return "deleted" }
        if zone.isOver || group.membership.state == .removed { return "removed" }
        if zone.access == .lapsed || zone.access == .left { return "lapsed" }
        return state.members[zone.member] == nil ? "joining" : "joined"
    }

    /// As of an account: `stopped` where no node runs.
    private var sync: String {
        guard let network = node.network else { return "stopped" }
        guard group.isIn else { return "ended" }
        return network.machine.state(of: group.placeID, now: node.clock.now()).name
    }

    private func sentence(isIn: Bool) -> String {
        switch stateWord {
        case "deleted":
            let since = zone.closedAt.map { " on \(Wording.time($0))" } ?? ""
            return "group removed\(since): this is a read-only copy; \(command("delete", "--drop")) drops it"
        case "lapsed":
            return "the invitation was withdrawn before the owner knew of you: "
                + "\(node.command("group join TOKEN", for: group.owner)) with another one lets you in again, with all "
                + "that is here"
        case "removed":
            return "access removed from group \(group.title): what you had stays, your results can be exported"
        case "joining": return "waiting for a member: the group's records are not here yet"
        default: break
        }
        if let pause = zone.pause {
            return "paused by \(pause.by) since \(Wording.time(pause.since)): what you post waits"
        }
        if zone.state.isDisputed { return "ownership is disputed: its owner signed two transfers" }
        if zone.offeredTo.contains(zone.member) {
            return "the owner offers you this group: \(command("transfer", "--accept")) takes it"
        }
        return "in the group as \(zone.state.members[zone.member]?.word ?? "nobody")"
    }

    /// A command about this group, whole.
    private func command(_ name: String, _ flag: String) -> String {
        node.command("group \(name) \(Program.quoted(group.title)) \(flag)", for: group.owner)
    }

    /// What is held and counts for nothing, and proofs of what should not be.
    func problems() throws -> JSONValue {
        let counters = node.network?.served(group)?.sync.counters
        return .object([
            "voidScores": .number(try zone.voidScores),
            "voidControls": .number(voidControls),
            "locked": .number(zone.lockedCount), "unknownRecords": .number(zone.unknownRecords),
            "refusedRecords": .number(counters?.recordsRejected ?? 0), "refusedBlobs": .number(counters?.badBlobs ?? 0),
            "equivocations": .array(
                zone.forkedLanes.map { lane in
                    .object([
                        "deviceId": .string(lane.hex),
                        "memberIds": .array(zone.state.members(of: lane).map { .string($0.hex) }),
                    ])
                }),
        ])
    }

    /// Certificates, seals and words of who leaves are never judged, and those of later versions cannot be.
    private var voidControls: Int {
        let state = zone.state
        return state.records.count { record in
            guard let kind = record.kind, kind != .certificate, kind != .seal, kind != .leave else { return false }
            return !state.isValid(record.hash)
        }
    }

    // MARK: Lists

    package static func list(_ account: NodeAccount, _ node: LocalNode, isAll: Bool) -> [JSONValue] {
        var lines = account.groups.map { JSONValue.object(GroupReport(group: $0, node: node).fields) }
        for unopened in account.unopenedGroups {
            lines.append(
                .object([
                    "groupId": .string(unopened.membership.group.hex), "title": .string(unopened.membership.title),
                    "state": .string("error"), "sentence": .string(unopened.error.message),
                ]))
        }
        for join in account.joins {
            lines.append(
                .object([
                    "groupId": .string(join.group.hex), "title": .string(join.pending.token.title),
                    "state": .string("pending"), "sentence": .string("pending: " + join.waitsFor),
                    "since": .int(join.pending.since.milliseconds),
                ]))
        }
        guard isAll else { return lines }
        for membership in account.zone.groups.all where membership.state.isGone {
            let file = LeftScores.all(of: membership, account, in: node.home).first
            lines.append(
                .object([
                    "groupId": .string(membership.group.hex), "title": .string(membership.title),
                    "state": .string(membership.state == .left ? "left" : "deleted"),
                    "scoresFile": .optional(file?.path),
                ]))
        }
        return lines
    }

    static func invitations(_ group: NodeGroup) -> [JSONValue] {
        let state = group.zone.state
        let names = Dictionary(uniqueKeysWithValues: group.zone.memberList().map { ($0.id, $0.name) })
        return state.openInvitations.compactMap { record in
            guard case .invite(let link) = record.act else { return nil }
            var fields = link.fields
            fields["inviteId"] = .string(record.hash.hex)
            fields["issuerId"] = .string(record.by.hex)
            fields["issuer"] = .optional(names[record.by])
            fields["createdAt"] = .int(record.claimedAt.milliseconds)
            fields["used"] = .number(state.admissions(under: record.hash))
            return .object(fields)
        }
    }

    package static func invitation(named text: String, in group: NodeGroup) throws(NodeError) -> RecordHash {
        let wanted = text.lowercased()
        let found = group.zone.state.openInvitations.map(\.hash).filter { $0.hex.hasPrefix(wanted) }
        guard let first = found.first else {
            throw NodeError(.notFound, "no open invitation begins with `\(text)`; see `kachat-node group invites`")
        }
        guard found.count == 1 else {
            throw NodeError(.usage, "several invitations begin with `\(text)`; give more of it")
        }
        return first
    }
}

extension NodeGroup {
    /// By id, the beginning of one, or the name.
    ///
    /// - Parameter withFormer: finds who left or was removed too.
    func member(named text: String, withFormer: Bool = false) throws(NodeError) -> GroupMember {
        let members = zone.memberList(withRemoved: withFormer)
        let wanted = text.lowercased()
        var found = members.filter { $0.id.hex == wanted }
        if found.isEmpty { found = members.filter { $0.name.lowercased() == wanted } }
        if found.isEmpty, wanted.utf8.count >= 4 { found = members.filter { $0.id.hex.hasPrefix(wanted) } }
        guard let member = found.first else {
            throw NodeError(.notFound, "there is no member `\(text)`\(advice: "; see `kachat-node group members`")")
        }
        guard found.count == 1 else { throw NodeError(.usage, "several members are meant by `\(text)`; give the id") }
        return member
    }
}

extension GroupMember {
    package var json: JSONValue {
        .object([
            "memberId": .string(id.hex), "name": .string(name), "role": .string(role.word),
            "state": .string(state.rawValue), "devices": .number(devices), "me": .bool(isMe),
        ])
    }
}
