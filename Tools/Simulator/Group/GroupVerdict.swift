import Gossip
import LeaderboardShare
import Ledger
import NodeCore
import SyncState

/// Judges the devices of a group once faults have ended: whether the members agree, and whether what they agree on is
/// right.
struct GroupVerdict {
    enum Rule: String, CaseIterable {
        case agreement = "after the faults all members hold the same, and who is out knows it"
        case members = "nobody gains a right or comes back"
        case tickets = "a ticket lets in one"
        case scores = "each result that was acknowledged counts on each device"
        case invented = "no result counts that its member did not post"
        case roots = "nobody holds a root of the time after its removal"
    }

    /// How often each rule was judged: for each device, ticket, result or member.
    private(set) var checks: [Rule: Int] = [:]
    /// The reason that they do not agree yet; nil once they do.
    private(set) var disagreement: String?
    /// The errors in what they agree on.
    private(set) var broken: [String] = []
    private(set) var present = 0
    private(set) var members = 0
    private let board: GroupBoard
    /// No owner's device has seen a root come since it started: a new one that could wait for a day does not.
    private let isFresh: Bool

    /// A device that keeps the rules and that nobody shut out, of somebody who is a member.
    private struct Inside {
        let index: Int
        let zone: GroupZone
        /// The devices that it is connected to, and which it takes to hold something else.
        let unlike: Set<LaneID>
    }

    init(_ nodes: [GroupNode?], _ board: GroupBoard, isFresh: Bool) {
        (self.board, self.isFresh) = (board, isFresh)
        let all = nodes.compactMap { $0 }
        guard all.count == nodes.count, let one = Self.witness(all) else {
            disagreement = "a node is down"
            return
        }
        let state = one.state
        board.noteSilent(all)
        let written = all.reduce(into: [Int: LaneID]()) { $0[$1.index] = $1.zone?.lane }
        let inside = all.compactMap { node -> Inside? in
            guard node.isHonest, let zone = node.zone, state.members[zone.member] != nil,
                state.standing(of: zone.membership.own) != .removed,
                !board.isStranded(node.index, in: zone, state, lanes: written)
            else { return nil }
            // After the end nobody is given a root, nor given one back: what is under it stays unreadable. A member who
            // left, and was told so by a device that heard of the end only then, does not hear of that.
            let hasLeft = zone.access == .left && zone.hasTold
            // A member who left asks again after a day: until then it is not known that nobody here has heard of it.
            if hasLeft, board.isLeavingLost(of: zone.member, state) { return nil }
            if board.isShownOut(zone) { return nil }
            guard !state.isClosed || !hasLeft && zone.membership.ring.held.isSuperset(of: state.rotates.keys) else {
                return nil
            }
            let unlike = node.served?.sync.peers.filter { !$0.isEqual }.map(\.lane) ?? []
            return Inside(index: node.index, zone: zone, unlike: Set(unlike))
        }
        (members, present) = (state.members.count, inside.count)
        let known = inside.first?.zone ?? one
        for node in inside where disagreement == nil { disagreement = difference(node, known) }
        let lanes = inside.map(\.zone.membership.own.lane)
        for node in inside where disagreement == nil && !node.unlike.isDisjoint(with: lanes) {
            disagreement = "node \(node.index) does not know that another holds the same"
        }
        if disagreement == nil { disagreement = unknown(all, state) }
        if disagreement == nil { disagreement = missing(inside, state) }
        guard disagreement == nil else { return }
        checks[.agreement] = all.count
        judgeMembers(state, one.roster.title?.title, heard: Set(lanes))
        judgeTickets(state)
        judgeScores(inside, state)
        // Without a device of the owner's nobody can make a root.
        let hasOwner = inside.contains { $0.zone.member == state.owner }
        judgeRoots(all, state, newest: hasOwner ? one.membership.root.rotate : nil)
    }

    /// The zone that says who belongs: that of the owner's first device, which nobody shuts out. But shutting out a
    /// copy of it shuts out all that come from one lane, and it with them. Then it hears of nothing any more, and the
    /// next of the owner's devices says who belongs.
    private static func witness(_ all: [GroupNode]) -> GroupZone? {
        let standing = all.first { node in
            node.isHonest
                && node.zone.map { $0.member == $0.state.owner && $0.membership.ownStanding == .active } ?? false
        }
        return standing?.zone ?? all.first?.zone
    }

    // MARK: Agreement

    private func difference(_ node: Inside, _ one: GroupZone) -> String? {
        let (zone, index, state, other) = (node.zone, node.index, node.zone.state, one.state)
        if zone.membership.records.digest != one.membership.records.digest {
            return "the ledger of node \(index) differs"
        }
        if zone.store.digest != one.store.digest { return "the set of node \(index) differs" }
        if zone.membership.ownStanding != .active { return "node \(index) is \(zone.membership.ownStanding)" }
        if zone.access == .joining { return "node \(index) does not know that it is in" }
        if state.members != other.members { return "node \(index) sees other members" }
        if state.dismissed != other.dismissed || state.left != other.left || state.suspended != other.suspended {
            return "node \(index) sees other absentees"
        }
        if state.isClosed != other.isClosed || zone.roster.title != one.roster.title {
            return "node \(index) sees another title or end"
        }
        // After the end nobody gets a root.
        guard !state.isClosed else { return nil }
        if zone.membership.root.rotate != one.membership.root.rotate { return "node \(index) lacks the newest root" }
        if zone.member == state.owner {
            if state.isRotationDue(held: zone.membership.ring.held, resting: !isFresh) { return "a root is due" }
            if !state.unconfirmed.isEmpty { return "node \(index) has not confirmed all members" }
        }
        return nil
    }

    /// A node that does not know what became of it.
    private func unknown(_ all: [GroupNode], _ state: LedgerState) -> String? {
        for node in all {
            guard let zone = node.zone else { continue }
            let isShutOut = state.isDismissed(zone.member) || state.standing(of: zone.membership.own) == .removed
            // A node that left knows all that it needs to know.
            // Without a lane it hears so by its account.
            if isShutOut, zone.lacking == nil, zone.access != .removed, zone.access != .left {
                return "node \(node.index), \(zone.access), does not know its removal"
            }
            if node.isHonest, state.members[zone.member] == nil, zone.access == .member {
                return "node \(node.index) takes itself for a member"
            }
        }
        // What a device wrote that was shut out meanwhile may not count, nor what the group's end does not name.
        let named = Set(board.closedBy.filter { stays($0.key, state) }.flatMap(\.value))
        for (member, leaving) in board.left
        where (!state.isClosed || named.contains(member)) && state.members[member] != nil
            && state.standing(of: LaneKey(leaving.lane, of: member)) != .removed
            && (!board.isLeavingLost(of: member, state) || isTelling(all, of: member))
        {
            return "member \(member.hex) is still listed"
        }
        return nil
    }

    /// A device goes on telling of its member's leaving until somebody has shown that it knows.
    private func isTelling(_ all: [GroupNode], of member: MemberID) -> Bool {
        all.contains { node in
            node.zone.map { $0.member == member && $0.state.hasLeft(member) && !$0.hasTold } ?? false
        }
    }

    /// Records of an owner's device may be gone with the device, if no other had seen them.
    private func stays(_ lane: LaneID, _ state: LedgerState) -> Bool {
        state.standing(of: LaneKey(lane, of: state.owner)) != .removed
    }

    // MARK: Who belongs

    /// - Parameter heard: the lanes of those inside.
    private mutating func judgeMembers(_ state: LedgerState, _ title: String?, heard: Set<LaneID>) {
        checks[.members] = state.members.count + board.removed.values.count { !$0.mayBeForgotten }
        if state.isClosed, !isClosedRightly(state) { broken.append("the group was closed by who may not") }
        if !state.isClosed, board.closedBy.keys.contains(where: { stays($0, state) }) {
            broken.append("a closed group is back")
        }
        // The finder of a device of the owner's has the owner's rights, until it is shut out once more.
        let isOwnerRobbed = board.robbed(state).contains(state.owner)
        if !isOwnerRobbed, title?.hasPrefix("Friends") != true { broken.append("somebody else named the group") }
        // After the end a device that lacks a root is not inside, and may not have met the others yet.
        func isKnown(_ lane: LaneID) -> Bool { stays(lane, state) && (!state.isClosed || heard.contains(lane)) }
        for (member, dismissal) in board.removed
        where !dismissal.mayBeForgotten && isKnown(dismissal.by) && !state.isDismissed(member) {
            broken.append("a removed member is back")
        }
        for (member, role) in state.members where member != state.owner && role > .member {
            if role == .owner || !board.raised.contains(member) { broken.append("a member rose") }
        }
        if board.raised.isEmpty, !isOwnerRobbed, !state.suspended.isSubset(of: board.suspended) {
            broken.append("a member was suspended by who may not")
        }
        for (member, lane) in board.lowered where isKnown(lane) && state.role(of: member) > .viewer {
            broken.append("a viewer rose")
        }
    }

    private func isClosedRightly(_ state: LedgerState) -> Bool {
        let closes = state.set.records.filter { record in
            guard case .close = record.act else { return false }
            return state.counts(record.hash)
        }
        return !closes.isEmpty && closes.allSatisfy { board.mayClose($0.lane, state) }
    }

    /// Each ticket lets in one. Two of the owner's devices that are apart may confirm one each.
    private mutating func judgeTickets(_ state: LedgerState) {
        var came: [TicketID: [MemberID]] = [:]
        for member in state.members.keys {
            guard let used = state.ticket(of: member) else { continue }
            came[used.ticket, default: []].append(member)
            if used.issuer != state.owner, !board.raised.contains(used.issuer) {
                broken.append("a member came by an invitation of who may not invite")
            }
        }
        checks[.tickets] = came.count
        let owners = state.enteredLanes.count { $0.member == state.owner }
        for members in came.values {
            let confirmed = members.count(where: state.isConfirmed)
            if confirmed > owners || members.count - confirmed > (confirmed == 0 ? 1 : 0) {
                broken.append("a ticket let in \(members.count)")
            }
        }
    }

    // MARK: What they wrote

    /// Whether a post must be shown. A member who left is on no board: what only it had went with it.
    private func isOwed(_ post: GroupBoard.Post, _ state: LedgerState) -> Bool {
        // Of the records of a device that was shut out, those stay that the other had seen. The same holds for a
        // member's role.
        let isKept = post.keptBy.contains { state.standing(of: LaneKey($0, of: state.owner)) != .removed }
        return !isLost(post, state) && !state.isClosed && board.left[post.member] == nil
            && (!isOut(post, state) || post.outlivesDevice) && (state.role(of: post.member) >= .member || isKept)
    }

    /// Its device was shut out; or had come by one that was, nobody had heard of it by then, and nobody has let it in
    /// again.
    private func isOut(_ post: GroupBoard.Post, _ state: LedgerState) -> Bool {
        switch state.standing(of: LaneKey(post.lane, of: post.member)) {
        case .removed: true
        case .lapsed, .unknown: post.way.contains { state.standing(of: $0) == .removed }
        default: false
        }
    }

    /// Damage may have taken it from its device, or its member was given up, and nobody meets those any more that held
    /// it then or later: their members are gone or had come by a ticket that another got, or their lanes are out,
    /// though damage may have taken the Remove, or they withdrew. If one passed it on in time, a device that stands has
    /// held it, too.
    private func isLost(_ post: GroupBoard.Post, _ state: LedgerState) -> Bool {
        post.holders?.contains { board.isMet($0, state) } == false
    }

    /// Its device was shown a dismissal that damage took from all others, before anybody had it: it gives it when it
    /// asks again.
    private func isKeptBack(_ post: GroupBoard.Post, _ inside: [Inside]) -> Bool {
        board.isSilent(LaneKey(post.lane, of: post.member)) && !inside.contains { isHeld(post, by: $0.zone) }
    }

    private func isHeld(_ post: GroupBoard.Post, by zone: GroupZone) -> Bool {
        (try? zone.score(of: post.member, day: post.day, game: GroupBoard.game))?.score == post.score
    }

    private func owed(_ inside: [Inside], _ state: LedgerState) -> [GroupBoard.Post] {
        board.posts.filter { isOwed($0, state) && !isKeptBack($0, inside) }
    }

    /// A result that damage took from its device, and that only members who break the rules have had since. Those
    /// inside agree without them, perhaps before they have met: an address that failed is dialled again after up to
    /// 60 s. In the end they must have it.
    private func missing(_ inside: [Inside], _ state: LedgerState) -> String? {
        let lanes = inside.map(\.zone.membership.own)
        for post in owed(inside, state) where post.holders?.isDisjoint(with: lanes) == true {
            guard let node = inside.first(where: { !isHeld(post, by: $0.zone) }) else { continue }
            return "node \(node.index) lacks the score of day \(post.day.number), which another has"
        }
        return nil
    }

    private mutating func judgeScores(_ inside: [Inside], _ state: LedgerState) {
        let owed = owed(inside, state)
        for node in inside {
            for post in owed {
                checks[.scores, default: 0] += 1
                if !isHeld(post, by: node.zone) {
                    broken.append("the score of day \(post.day.number), acknowledged, is missing on node \(node.index)")
                }
            }
        }
        guard let zone = inside.first?.zone else { return }
        for member in Set(inside.map(\.zone.member)).subtracting(board.robbed(state)).sorted() {
            checks[.invented, default: 0] += 1
            for held in (try? zone.results(of: member)) ?? [] where (2_000..<5_000).contains(held.score.day.number) {
                broken.append("a score counts that its member did not post")
            }
        }
        let boards = inside.compactMap { node in
            try? node.zone.standings.rows(state.members.keys.sorted(), period: .all, today: Day(number: 8_000)).map {
                [Int($0.points), $0.played]
            }
        }
        if boards.count != inside.count || Set(boards).count > 1 { broken.append("the standings differ") }
        // The finder of the owner's device may have changed the game.
        let isOwners = !board.stolen.values.contains { $0.lane.member == state.owner }
        let mayBeMissing = !isOwners || board.isGameLost(state)
        for node in inside where !mayBeMissing && node.zone.catalogue.games.map(\.name) != ["Wordle"] {
            broken.append("the group's game is gone on node \(node.index)")
        }
    }

    // MARK: Roots

    /// Nobody may hold a root that covers its removal, and the newest covers all.
    private mutating func judgeRoots(_ all: [GroupNode], _ state: LedgerState, newest: RecordHash?) {
        var dismissals: [MemberID: Set<RecordHash>] = [:]
        var removes: [LaneKey: Set<RecordHash>] = [:]
        for record in state.set.records where state.counts(record.hash) {
            switch record.act {
            case .word(let word) where word.role == .none: dismissals[word.member, default: []].insert(record.hash)
            case .remove(let remove):
                // Of the signer's own member, whichever lanes it names.
                let member = MemberID(person: PersonID(record.signer), firstLane: remove.firstLane)
                for lane in remove.lanes { removes[LaneKey(lane, of: member), default: []].insert(record.hash) }
            default: break
            }
        }
        // A Remove of somebody who is no member, or of nobody's lane, needs no root; that of a member's own device may
        // have to wait for one.
        let gone = dismissals.values.reduce(into: Set<RecordHash>()) { $0.formUnion($1) }
            .union(
                removes.filter { isFresh ? state.members[$0.key.member] != nil : $0.key.member == state.owner }
                    .values.flatMap(\.self))
        if !state.isClosed, let newest, !Self.covered(by: newest, state).isSuperset(of: gone) {
            broken.append("the newest root was made without regard to a removal")
        }
        for node in all {
            guard let zone = node.zone else { continue }
            checks[.roots, default: 0] += 1
            let gone = (dismissals[zone.member] ?? []).union(removes[zone.membership.own] ?? [])
            for root in state.rotates.keys where !Self.covered(by: root, state).isDisjoint(with: gone) {
                if zone.membership.ring[root] != nil {
                    broken.append("node \(node.index) holds a root of the time after its removal")
                }
            }
        }
    }

    /// The records that a root and all below it cover.
    private static func covered(by root: RecordHash, _ state: LedgerState) -> Set<RecordHash> {
        var (covered, seen, work): (Set<RecordHash>, Set<RecordHash>, [RecordHash]) = ([], [root], [root])
        while let next = work.popLast() {
            guard case .rotate(let rotate)? = state.set[next]?.act else { continue }
            covered.formUnion(rotate.covers)
            for tip in rotate.tips where seen.insert(tip.rotate).inserted { work.append(tip.rotate) }
        }
        return covered
    }
}
