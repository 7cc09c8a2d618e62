import NodeCore

@testable import LeaderboardShare

struct CheckFailure: Error, CustomStringConvertible {
    let description: String
}

func hold(_ condition: Bool, _ what: String) throws(CheckFailure) {
    if !condition { throw CheckFailure(description: what) }
}

/// What two states are compared by.
struct StateSummary: Equatable {
    let owner: MemberID?
    let flags: [Bool]
    let title: ControlRecord?
    let root: ControlRecord?
    let roots: Set<RecordHash>
    let members: [MemberID: Role]
    let suspended: Set<MemberID>
    let removed: Set<MemberID>
    let valid: [RecordHash]

    init(_ state: GroupState) {
        owner = state.owner
        flags = [state.isClosed, state.isDisputed, state.isRootDue]
        title = state.titleRecord
        root = state.rootRecord
        roots = state.roots
        members = state.members
        suspended = state.suspended
        removed = state.removed
        valid = state.records.map(\.hash).filter(state.isValid)
    }
}

/// What must hold of any group, each played from a seed; it throws what did not.
enum GroupCheck: String, CaseIterable, Sendable {
    /// Any order and any merge of parts give the same state and the same acceptance.
    case order
    /// What was taken stays taken, whatever its holder and its friends sign.
    case escalation
    /// Members who are not owner void and hide nothing of others, but for suspensions.
    case interference
    /// After the exchange all nodes agree.
    case convergence
    /// Takings win over givings that they did not know; only the owner's later act undoes.
    case ends
    /// Removed members get no later root, all others do.
    case epochs
    /// Two offline devices of an honest owner: after the merge nobody is lost whom nobody removed.
    case owners

    func play(seed: UInt64) throws {
        let world = GroupWorld(seed: seed)
        switch self {
        case .order: try Self.order(world, seed)
        case .escalation: try Self.escalation(world)
        case .interference: try Self.interference(world)
        case .convergence: try Self.convergence(world, seed)
        case .ends: try Self.ends(world, seed)
        case .epochs: try Self.epochs(world)
        case .owners: try Self.owners(world)
        }
    }

    private static func order(_ world: GroupWorld, _ seed: UInt64) throws {
        world.live(world.int(5...40), [.grant, .demote, .revoke, .remove, .rotate, .title, .transfer])
        world.exchange()
        let keys = Set(world.nodes.map(\.key)).sorted()
        let (made, forged) = world.forge(keys, world.nodes[0].held, 12)
        let all = world.nodes[0].held + made
        let scores = world.nodes[0].scores + forged
        var orders: [[ControlRecord]] = []
        if seed % 50 == 0 {
            let few = [world.genesis] + all.dropFirst().shuffled(using: &world.random).prefix(5)
            orders = permutations(of: few)
        } else {
            let held = all.filter { $0.kind == .genesis || world.chance(0.95) }
            var merged: [ControlRecord] = []
            for _ in 0..<3 {
                merged += held.shuffled(using: &world.random).prefix(world.int(0...held.count))
            }
            orders = [held, held.shuffled(using: &world.random), merged + held]
        }
        let first = world.state(orders[0])
        let summary = StateSummary(first)
        for order in orders.dropFirst() {
            let again = world.state(order)
            try hold(StateSummary(again) == summary, "state depends on order")
            try hold(
                scores.allSatisfy { again.accepts($0) == first.accepts($0) }, "acceptance depends on order")
        }
    }

    private static func convergence(_ world: GroupWorld, _ seed: UInt64) throws {
        let deeds: [GroupWorld.Deed] = [.grant, .demote, .revoke, .remove, .title, .rotate, .transfer]
        world.live(world.int(10...60), deeds + (seed % 4 == 0 ? [.close] : []))
        for node in world.nodes.shuffled(using: &world.random).prefix(world.nodes.count / 3) {
            node.take(world.forge([node.key], node.held, 6).records)
        }
        world.exchange()
        let first = world.nodes[0]
        let summary = StateSummary(first.view)
        for node in world.nodes.dropFirst() {
            try hold(StateSummary(node.view) == summary, "states differ")
            try hold(
                node.scores.allSatisfy { node.view.accepts($0) == first.view.accepts($0) }, "acceptance differs")
        }
    }

    private static func epochs(_ world: GroupWorld) throws {
        world.live(world.int(10...30))
        world.exchange()
        let (one, two) = (world.nodes[0], world.nodes[1])
        let gone = [one.other(), two.other()]
        if gone.contains(world.owner) { return }
        one.remove(gone[0])
        two.remove(gone[1])
        let both = [one, two].compactMap { $0.view.rootRecord?.hash }
        world.exchange()
        try hold(Set(world.nodes.map { $0.view.rootRecord }).count == 1, "two current roots")
        try hold(one.view.roots.isSuperset(of: both), "a concurrent root is not recognised")
        if one.view.isRootDue { one.rotate() }
        world.exchange()
        guard let root = one.view.rootRecord?.hash else { return }
        let server = world.pick(world.nodes.filter { $0.view.members[$0.key] != nil })
        try hold(world.holders[root, default: []].contains(server.key), "a member has no root to serve")
        world.holders[root, default: []].formUnion(server.view.sealRecipients)
        let holders = world.holders[root, default: []]
        try hold(holders.isSuperset(of: one.view.members.keys), "a member without the root")
        try hold(holders.isDisjoint(with: one.view.removed), "a removed member holds the current root")
    }

    private static func owners(_ world: GroupWorld) throws {
        world.live(world.int(5...25))
        world.exchange()
        var members: Set<MemberID> = []
        var agreed: [NameSet] = []
        for (number, start) in world.nodes.prefix(2).enumerated() {
            var side = [start]
            for _ in 0..<world.int(3...20) {
                let first = world.nodes.count
                world.live(1, [.grant, .demote, .revoke, .remove] + (number == 0 ? [.transfer] : []), among: side)
                side += world.nodes[first...]
                world.exchange(side)
            }
            members.formUnion(start.view.members.keys)
            agreed.append(start.seen)
        }
        world.exchange()
        guard let owner = world.nodes[0].view.owner else { throw CheckFailure(description: "no owner") }
        let node = GroupNode(world, owner, held: world.nodes[0].held, scores: world.nodes[0].scores)
        node.merge(NameSet.union(agreed))
        try hold(!node.view.isDisputed && !node.view.isClosed && node.view.owner != nil, "disputed or closed")
        try hold(node.view.members[owner] == .owner, "the owner lost its role")
        let removed = node.held.compactMap { $0.kind == .remove ? $0.act.subject : nil }
        try hold(members.subtracting(node.view.members.keys).subtracting(removed).isEmpty, "a member was lost")
        try hold(!node.view.isRootDue, "a root is due after the merge")
    }
}

/// All orders of `all`.
func permutations<Element>(of all: [Element]) -> [[Element]] {
    if all.count <= 1 { return [all] }
    return all.indices.flatMap { index in
        var rest = all
        let first = rest.remove(at: index)
        return permutations(of: rest).map { [first] + $0 }
    }
}
