import LeaderboardShare
import NodeCore
import SyncState

/// Judges the devices of a group once faults have ended: whether the members agree, and whether what they agree on is
/// right.
struct GroupVerdict {
    /// The reason that they do not agree yet; nil once they do.
    private(set) var disagreement: String?
    /// The errors in what they agree on.
    private(set) var broken: [String] = []
    private(set) var present = 0
    private(set) var members = 0

    init(_ nodes: [GroupNode?], _ board: GroupBoard) {
        let all = nodes.compactMap { $0 }
        // A member that is told of its removal need not hold the record of it.
        let present = all.filter {
            $0.isHonest && $0.zone.map { $0.state.members[$0.member] != nil && $0.access != .removed } == true
        }
        guard all.count == nodes.count, let one = present.first?.zone else {
            disagreement = "nobody is there"
            return
        }
        let state = one.state
        members = state.members.count
        let inside = all.filter { $0.isHonest && $0.zone != nil && state.members[$0.member] != nil }
        self.present = inside.count
        disagreement = Self.disagreement(all, inside, one, state, board)
        guard disagreement == nil else { return }
        for node in inside {
            if let stale = try? node.staleness() { broken.append("node \(node.index): \(stale)") }
        }
        judge(state, board)
        judgeScores(inside, state, board)
        judgeKeys(all, state)
    }

    private static func disagreement(
        _ all: [GroupNode], _ inside: [GroupNode], _ one: GroupZone, _ state: GroupState, _ board: GroupBoard
    ) -> String? {
        for node in inside {
            guard let zone = node.zone else { continue }
            if zone.store.digest != one.store.digest { return "the set of node \(node.index) differs" }
            if zone.store.wantedCount > 0 { return "node \(node.index) wants a list of names" }
            if zone.access == .joining { return "node \(node.index) does not know that it is in" }
            if zone.lockedCount(of: state) > 0 { return "node \(node.index) cannot read what members wrote" }
            if let what = difference(zone.state, state) { return "node \(node.index) sees other \(what)" }
            // Records after the end do not count.
            if !state.isClosed, zone.ring.current.record != state.rootRecord?.hash {
                return "node \(node.index) lacks the newest root"
            }
        }
        // A removed member that is still there is told.
        for node in all where state.removed.contains(node.member) {
            if let zone = node.zone, zone.access != .removed { return "node \(node.index) does not know its removal" }
        }
        for member in board.left where state.members[member] != nil { return "member \(member.hex) is still listed" }
        return state.isRootDue && !state.isClosed ? "a root is due" : nil
    }

    private static func difference(_ one: GroupState, _ other: GroupState) -> String? {
        // Records written under the root of a void rotation are unreadable for others, and void as well.
        func valid(_ state: GroupState) -> [RecordHash] { state.records.map(\.hash).filter(state.isValid) }
        if valid(one) != valid(other) { return "control records" }
        if one.members != other.members || one.owner != other.owner { return "members" }
        if one.removed != other.removed || one.left != other.left || one.suspended != other.suspended {
            return "absentees"
        }
        if one.title != other.title || one.isClosed != other.isClosed { return "titles or ends" }
        return one.rootRecord != other.rootRecord || one.isRootDue != other.isRootDue ? "roots" : nil
    }

    private mutating func judge(_ state: GroupState, _ board: GroupBoard) {
        let founder = state.genesis?.by
        let owners = board.accepted.union([founder].compactMap(\.self))
        if state.owner.map(owners.contains) != true || state.isDisputed && board.accepted.count < 2 {
            broken.append("the group was taken over")
        }
        if state.isClosed, !board.isClosing { broken.append("the group was deleted by who may not") }
        // A transfer concurrent with the deletion takes the right to delete.
        if board.isClosed, !state.isClosed, board.accepted.isEmpty { broken.append("a deleted group is back") }
        if state.title?.title.hasPrefix("Friends") != true { broken.append("somebody else named the group") }
        for member in board.removed where state.members[member] != nil || !state.removed.contains(member) {
            // An ownership that ended invalidates what its transfer does not name; the new owner is spared.
            if board.accepted.isEmpty { broken.append("a removed member is back") }
        }
        for (member, role) in state.members where member != state.owner && role > .member {
            broken.append("a member rose")
        }
        for issued in board.tokens where issued.uses != Delegation.unlimited {
            if state.admissions(under: issued.invitation) > Int(issued.uses) {
                broken.append("a counted invitation let in more than it says")
            }
        }
    }

    private mutating func judgeScores(_ inside: [GroupNode], _ state: GroupState, _ board: GroupBoard) {
        for node in inside {
            guard let zone = node.zone else { continue }
            for post in board.posts where state.members[post.member] ?? .viewer >= .member && !state.isClosed {
                // Records that the owner had not seen when it demoted their author to viewer are void.
                guard state.demotions(of: post.member).isEmpty else { continue }
                let held = try? zone.score(of: post.member, day: post.day, game: GroupBoard.game)
                if held?.score != post.score {
                    broken.append("the score of day \(post.day.number), acknowledged, is missing on node \(node.index)")
                }
            }
        }
        guard let zone = inside.first?.zone else { return }
        for member in Set(inside.map(\.member)).sorted() {
            for held in (try? zone.results(of: member)) ?? [] where (2_000..<5_000).contains(held.score.day.number) {
                broken.append("a score counts that its member did not post")
            }
        }
        let today = Day(number: 8_000)
        let boards = inside.compactMap { node in
            try? node.zone?.standings.rows(state.members.keys.sorted(), period: .all, today: today).map {
                [Int($0.points), $0.played]
            }
        }
        if boards.count != inside.count || Set(boards).count > 1 { broken.append("the standings differ") }
        // Holds whoever owns the group now, and whatever happened to the member that entered the game.
        for node in inside where node.zone?.catalogue.games.map(\.id) != [GroupBoard.game] {
            broken.append("the group's game is gone on node \(node.index)")
        }
    }

    /// Nobody may hold the root of an epoch whose rotation names its removal.
    private mutating func judgeKeys(_ all: [GroupNode], _ state: GroupState) {
        for node in all where state.removed.contains(node.member) {
            let removals = Set(state.validRecords(.remove).filter { $0.act.subject == node.member }.map(\.hash))
            for rotation in state.validRecords(.rotate)
            where rotation.act.names.sorted.contains(where: removals.contains) {
                if node.zone?.ring.epoch(of: rotation.hash) != nil {
                    broken.append("node \(node.index) holds a root of the time after its removal")
                }
            }
        }
    }
}

extension GroupZone {
    /// Number of records sealed under a valid root that is not held here.
    fileprivate func lockedCount(of state: GroupState) -> Int {
        state.roots.count { ring.epoch(of: $0) == nil }
    }
}
