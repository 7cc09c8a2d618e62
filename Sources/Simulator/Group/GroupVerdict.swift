import LeaderboardShare
import NodeCore
import SyncState

/// What the devices of a group show, once nothing goes wrong any more: whether those who are in agree, and whether what
/// they agree on is right.
struct GroupVerdict {
    /// Why they do not agree yet; nil once they do.
    private(set) var disagreement: String?
    /// What is wrong with what they agree on.
    private(set) var broken: [String] = []
    private(set) var present = 0
    private(set) var members = 0

    init(_ nodes: [GroupNode?], _ board: GroupBoard) {
        guard let owner = nodes[0]?.zone else {
            disagreement = "the founder is down"
            return
        }
        let state = owner.state
        let all = nodes.compactMap { $0 }
        members = state.members.count
        let inside = all.filter { $0.isHonest && $0.zone != nil && state.members[$0.member] != nil }
        present = inside.count
        disagreement = Self.disagreement(all, inside, owner, state)
        guard disagreement == nil else { return }
        judge(state, board, owner.member)
        judgeScores(inside, state, board)
        judgeKeys(all, state)
    }

    private static func disagreement(
        _ all: [GroupNode], _ inside: [GroupNode], _ owner: GroupZone, _ state: GroupState
    ) -> String? {
        for node in inside {
            guard let zone = node.zone else { continue }
            if zone.store.digest != owner.store.digest { return "the set of node \(node.index) differs" }
            if zone.store.wantedCount > 0 { return "node \(node.index) wants a list of names" }
            if zone.access == .joining { return "node \(node.index) does not know that it is in" }
            if zone.lockedCount(of: state) > 0 { return "node \(node.index) cannot read what members wrote" }
            let other = zone.state
            guard other.members == state.members, other.removed == state.removed, other.suspended == state.suspended,
                other.title == state.title, other.rootRecord == state.rootRecord, other.isRootDue == state.isRootDue
            else { return "node \(node.index) sees another group" }
            if zone.ring.current.record != state.rootRecord?.hash { return "node \(node.index) lacks the newest root" }
        }
        // Whoever was removed and is there hears so.
        for node in all where state.removed.contains(node.member) {
            if let zone = node.zone, zone.access != .removed { return "node \(node.index) does not know its removal" }
        }
        return state.isRootDue ? "a root is due" : nil
    }

    private mutating func judge(_ state: GroupState, _ board: GroupBoard, _ founder: MemberID) {
        if state.owner != founder || state.isDisputed || state.isClosed {
            broken.append("the group was taken over or closed")
        }
        if state.title?.title.hasPrefix("Friends") != true { broken.append("somebody else named the group") }
        for member in board.removed where state.members[member] != nil || !state.removed.contains(member) {
            broken.append("a removed member is back")
        }
        for (member, role) in state.members where member != founder && role > .member {
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
            for post in board.posts where state.members[post.member] ?? .viewer >= .member {
                // What somebody wrote that the owner had not seen when it made a viewer of him is void.
                guard state.demotions(of: post.member).isEmpty else { continue }
                let held = try? zone.score(of: post.member, day: post.day, game: GroupBoard.game)
                if held?.score != post.score {
                    broken.append("the score of day \(post.day.number), acknowledged, is missing on node \(node.index)")
                }
            }
        }
        guard let zone = inside.first?.zone else { return }
        for member in Set(inside.map(\.member)).sorted() {
            for day in 2_000..<5_000 {
                let held = try? zone.score(of: member, day: Day(number: day), game: GroupBoard.game)
                if held != nil { broken.append("a score counts that its member did not post") }
            }
        }
    }

    /// Nobody holds the root of an epoch that names its removal.
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
    /// Records that are sealed under a valid root which is not held here.
    fileprivate func lockedCount(of state: GroupState) -> Int {
        state.roots.count { ring.epoch(of: $0) == nil }
    }
}
