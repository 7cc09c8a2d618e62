import Chat
import Gossip
import LeaderboardShare
import Ledger
import Node
import NodeCore
import NodeModel
import SyncState

extension Group {
    /// A group whose records are open here.
    init(_ group: NodeGroup, _ node: LocalNode) {
        self.init()
        let standing = GroupStanding(group: group, node: node)
        let (zone, zoneState) = (group.zone, group.zone.state)
        let members = zone.roster.members()
        groupId = zone.zone.hex
        title = group.title
        description = zone.roster.title?.description ?? ""
        state = standing.word
        memberId = zone.member.hex
        role = zoneState.members[zone.member].map { NodeModel.Role(rawValue: $0.word) }
        name = members.first(where: \.isMe)?.name
        ownerId = zoneState.owner.hex
        owner = members.first { $0.id == zoneState.owner }?.name
        createdAt = zone.foundedAt.map { Int($0.milliseconds) }
        joinedAt = Int(group.membership.joinedAt.milliseconds)
        deletedAt = zone.closedAt.map { Int($0.milliseconds) }
        self.members = members.count
        games = zone.catalogue.games.count
        epochs = zone.membership.ring.held.count
        paused = zone.pause != nil
        pausedBy = zone.pause?.by
        pausedSince = zone.pause.map { Int($0.since.milliseconds) }
        connected = node.network?.served(group)?.sync.peers.count ?? 0
        successorId = zone.successor.chosen?.group.hex
        sync = standing.sync
        verdict = standing.verdict
        sentence = standing.sentence
    }

    /// How the groups stand that the user of an account is in or waits for.
    static func standings(of account: NodeAccount, _ node: LocalNode) -> [GroupStatus] {
        let open = account.groups.map { group in
            let standing = GroupStanding(group: group, node: node)
            return GroupStatus {
                ($0.groupId, $0.title, $0.state) = (group.zone.zone.hex, group.title, standing.word)
                $0.verdict = standing.verdict
                $0.connected = node.network?.served(group)?.sync.peers.count ?? 0
                $0.summary = standing.summary
            }
        }
        let others = (account.unopenedGroups.map { Group($0) } + account.joins.map { Group($0) }).map { group in
            GroupStatus {
                ($0.groupId, $0.title, $0.state) = (group.groupId, group.title, group.state)
                $0.summary = group.sentence
            }
        }
        return (open + others).filter { !["deleted", "left"].contains($0.state) }.map {
            var status = $0
            status.accountId = account.accountID.hex
            return status
        }
    }

    /// An account's groups, including pending ones and those that cannot be opened.
    ///
    /// - Parameter withGone: include former groups.
    static func all(of account: NodeAccount, _ node: LocalNode, withGone: Bool) -> [Group] {
        var groups = account.groups.map { Group($0, node) }
        groups += account.unopenedGroups.map { Group($0) } + account.joins.map { Group($0) }
        guard withGone else { return groups }
        let kept = Set(groups.map(\.groupId))
        for membership in account.zone.groups.all
        where membership.state.isGone && !kept.contains(membership.group.hex) {
            var group = Group(membership.group, membership.title, membership.state == .left ? "left" : "deleted")
            group.scoresFile = LeftScores.all(of: membership, in: node.home).first?.path
            group.isGone = true
            groups.append(group)
        }
        return groups
    }

    private init(_ id: ZoneID, _ title: String, _ state: String) {
        self.init()
        groupId = id.hex
        self.title = title
        self.state = state
    }

    private init(_ unopened: UnopenedGroup) {
        self.init(unopened.membership.group, unopened.membership.title, "error")
        sentence = unopened.error.sentence.fact
    }

    private init(_ join: NodeJoin) {
        self.init(join.group, join.pending.token.title, join.isOver ? "refused" : "pending")
        sentence = "\(state): \(join.waitsFor)"
        since = Int(join.pending.since.milliseconds)
    }
}

struct GroupStanding {
    let group: NodeGroup
    let node: LocalNode

    private var zone: GroupZone { group.zone }

    /// `joined`, `joining`, `lapsed`, `removed`, `deleted` or `left`.
    var word: String {
        let state = zone.state
        if state.isClosed || group.membership.state.isDeleted { return "deleted" }
        if group.membership.state == .left { return "left" }
        if zone.access == .removed || !group.isIn { return "removed" }
        if zone.access == .lapsed || zone.access == .left { return "lapsed" }
        return zone.isIn ? "joined" : "joining"
    }

    /// Like an account's state; `stopped` if no node runs, `ended` for a former member.
    var sync: String {
        guard let network = node.network else { return "stopped" }
        guard group.isIn else { return "ended" }
        return network.machine.state(of: group.placeID, now: node.clock.now()).name
    }

    /// In an account's words; nil if this person is not a member, or not yet.
    var verdict: NodeModel.Verdict? {
        ["joined", "joining"].contains(word) ? GroupFacts(group, of: node).verdict : nil
    }

    /// The verdict in one sentence.
    var summary: String {
        guard word == "joined", zone.access != .suspended else { return sentence }
        let facts = GroupFacts(group, of: node)
        let unheld = "nobody else is known to have all that you wrote here"
        guard node.network != nil else { return facts.hasUnheldResults ? unheld : sentence }
        let devices = Wording.count(facts.connected, "device")
        if zone.state.members.count == 1, facts.isAlone, [.upToDate, .offline].contains(facts.verdict) {
            return "you are its only member"
        }
        switch facts.verdict {
        case .upToDate where !facts.isAlone: return "up to date with \(devices) in reach"
        case .upToDate: return "nobody of the group is in reach"
        case .syncing: return "comparing with \(devices)"
        case .offline: return unheld
        case .incomplete: return lack ?? sentence
        case .paused where zone.pause != nil: return sentence
        case .paused, .full, .error: return group.fault?.sentence.fact ?? facts.verdict.title
        }
    }

    var sentence: String {
        switch word {
        case "deleted":
            if let next = successor { return next }
            let since = zone.closedAt.map { " on \(Wording.time($0))" } ?? ""
            return "group closed\(since): this is a read-only copy; \(command("delete", "--drop")) drops it"
        case "lapsed":
            let rejoin = node.command("group join TOKEN", for: group.owner)
            return "before the owner heard of you, the invitation was revoked or used by somebody else, or its author "
                + "was removed: rejoin with another one (\(rejoin)); your data here stays"
        case "removed" where group.end == .deviceRemoved:
            return "this device was removed from your account: your copy stays, and your results can be exported"
        case "removed":
            let hasResults = (try? !OwnResults(of: zone).all.isEmpty) ?? false
            return "access to group \(group.title) was removed: your copy stays, "
                + (hasResults ? "and your results can be exported" : "without results of yours")
        case "left":
            let isUndone = (try? group.owner.zone.groups.isUndone(zone.zone)) ?? false
            return
                (isUndone
                ? "a device that you removed brought you into this group: your copy stays until you leave it "
                : "you left this group on another device: your copy stays until you leave it here too ")
                + "(\(node.command("group leave \(Program.quoted(group.title))", for: group.owner)))"
        case "joining":
            guard zone.lacking != nil else { return "waiting for a member: the group's records are not here yet" }
            guard !group.hasNoPlace else {
                return
                    "waiting for a place: \(group.deviceFill.used) of your devices are in the group, and no more can "
                    + "be; remove one that is gone (\(node.command("device remove NAME", for: group.owner)))"
            }
            return "waiting for another device of yours that is in the group: it lets this one in"
        default: break
        }
        if let full = storageFull { return full }
        if let pause = zone.pause { return "paused by \(pause.by) since \(Wording.time(pause.since)): your posts wait" }
        if let offer = zone.successor.offers.first {
            let name = zone.roster.members(withRemoved: true).first { $0.id == offer.founder }?.name ?? "a member"
            let follow = node.command("group follow \(Program.quoted(group.title))", for: group.owner)
            return offer.founder == zone.member
                ? "you offer a group in its place: its owner closes this one with it, or each member follows"
                : "\(name) offers a group in its place: follow by \(follow)"
        }
        if zone.access == .suspended { return "in the group, but suspended: your results are hidden on the boards" }
        return "in the group as \(zone.state.role(of: zone.member).word)"
    }

    /// Why the group's boards may lack results; nil if they lack none, as far as is known.
    var lack: String? {
        switch word {
        case "deleted": return "the group was closed: the board stays as it was"
        case "joining": return "the group's records are still coming: results are missing"
        case "joined": break
        default: return "you are no longer in this group: newer results are missing"
        }
        let facts = GroupFacts(group, of: node)
        switch facts.verdict {
        case .syncing: return "results are still coming"
        case .incomplete: return "results are missing: nobody in reach has given what is needed to read them"
        case .paused: return "sync is paused: newer results may be missing"
        case .full, .error: return "this device stores nothing new: newer results may be missing"
        case .offline, .upToDate:
            let hasOthers = zone.roster.members().contains { !$0.isMe }
            return facts.isAlone && hasOthers ? "nobody of the group is in reach: newer results may be missing" : nil
        }
    }

    /// Says that the store is full, and who wrote most of it; nil if there is room.
    private var storageFull: String? {
        guard let fault = group.fault, fault.isOutOfRoom else { return nil }
        let most = zone.greatestWriter.flatMap { most -> String? in
            let name = zone.roster.members(withRemoved: true).first { $0.id == most.member }?.name ?? "a member"
            let all = Wording.count(zone.store.recordCount, "record")
            return "; \(Wording.grouped(most.records)) of \(all) are by \(name)"
        }
        return fault.sentence.fact + (most ?? "")
    }

    /// The sentence about the group that replaces a closed one.
    private var successor: String? {
        guard let next = zone.successor.chosen else { return nil }
        if let there = group.owner.groups.first(where: { $0.zone.zone == next.group }) {
            let place = there.isIn ? "which you are in" : "which you are no longer in"
            return "closed: replaced by the group \(next.group.shortHex), \(place); this is a read-only copy"
        }
        // A user who left it is not moved back.
        guard group.owner.zone.groups.membership(of: next.group)?.state != .left else {
            return "closed: replaced by the group \(next.group.shortHex), which you left; this is a read-only copy"
        }
        let follow = node.command("group follow \(Program.quoted(group.title))", for: group.owner)
        return
            "closed: replaced by the group \(next.group.shortHex); you move there within a day, or now with \(follow)"
    }

    /// The command line of a command about this group.
    private func command(_ name: String, _ flag: String) -> String {
        node.command("group \(name) \(Program.quoted(group.title)) \(flag)", for: group.owner)
    }
}

extension GroupProblems {
    init(_ group: NodeGroup, _ node: LocalNode) throws {
        self.init()
        let (zone, state) = (group.zone, group.zone.state)
        let counters = node.network?.served(group)?.sync.counters
        voidScores = try zone.voidScores
        // An invitation that was revoked did count, and so did what a member wrote before its removal.
        let dismissed = Set(state.dismissed)
        voidControls = state.set.records.count { record in
            !record.isInvite && !state.counts(record.hash)
                && state.author(of: record.hash).map(dismissed.contains) != true
        }
        unknownRecords = zone.unknownRecords
        refusedRecords = Int(counters?.recordsRejected ?? 0)
        refusedBlobs = Int(counters?.badBlobs ?? 0)
        equivocations = zone.equivocations.map { forked in
            Equivocation { ($0.deviceId, $0.memberIds) = (forked.lane.hex, forked.members.map(\.hex)) }
        }
    }
}

extension NodeGroup {
    /// A member by id, the beginning of an id, or name.
    ///
    /// - Parameter withFormer: includes members who left or were removed.
    func member(
        named parameter: Parameter<String>, in call: Call, withFormer: Bool = false
    ) throws(NodeError) -> GroupMember {
        let text = try call.need(parameter)
        return try call.named(parameter) { () throws(NodeError) in try member(named: text, withFormer: withFormer) }
    }

    private func member(named text: String, withFormer: Bool) throws(NodeError) -> GroupMember {
        // Somebody new may have the name of one who is gone.
        let naming = Naming<GroupMember>(
            "member", list: "kachat-node group members \(Program.quoted(title))", ids: { [$0.id.hex] }, name: \.name,
            rank: { $0.state == .removed || $0.state == .left ? 0 : 1 }, areNamesForeign: true)
        let members = zone.roster.members(withRemoved: withFormer)
        let meant = MemberNaming.meant(by: text, among: members)
        if meant.count > 1 {
            throw NodeError(.usage, "`\(text)` names several members: \(naming.described(meant)): give its id or name")
        }
        return try naming.find(text, in: members)
    }

    /// The group with an id that is offered in place of this one, or those that a member offers.
    func offers(named parameter: Parameter<String>, in call: Call) throws(NodeError) -> [Close.Successor] {
        let (text, offers) = (try call.need(parameter).lowercased(), zone.successor.offers)
        let named = offers.filter { $0.group.hex == text }
        guard named.isEmpty else { return named }
        let founder = try member(named: parameter, in: call, withFormer: true).id
        return offers.filter { $0.founder == founder }
    }
}
