import NodeCore

@testable import LeaderboardShare

/// A device of a member, honest: it writes what its own view allows, and names what it sees as valid.
final class GroupNode {
    unowned let world: GroupWorld
    let key: MemberID
    let device: LaneID
    private(set) var held: [ControlRecord] = []
    private(set) var scores: [ModelScore] = []
    private var heldHashes: Set<RecordHash> = []
    private var scoreHashes: Set<RecordHash> = []
    private var known: GroupState?

    init(_ world: GroupWorld, _ key: MemberID, held: [ControlRecord] = [], scores: [ModelScore] = []) {
        self.world = world
        self.key = key
        device = world.freshDevice()
        take(held, scores)
        write(.zero, .certificate(device: device, index: UInt8(world.int(0...15))))
    }

    var view: GroupState {
        if let known { return known }
        let state = world.state(held)
        known = state
        return state
    }

    func take(_ records: [ControlRecord], _ more: [ModelScore] = []) {
        held += records.filter { heldHashes.insert($0.hash).inserted }
        scores += more.filter { scoreHashes.insert($0.hash).inserted }
        if !records.isEmpty { known = nil }
    }

    @discardableResult
    func write(_ under: RecordHash, _ act: ControlAct) -> ControlRecord {
        let record = world.write(key, under, act, date: Int64(world.int(-9...9)))
        take([record])
        return record
    }

    var rank: UInt8 { view.members[key]?.rawValue ?? 0 }

    var authority: RecordHash? { view.authority(of: key) }

    func other() -> MemberID {
        let others = view.members.keys.filter { $0 != key }.sorted()
        return others.isEmpty ? key : world.pick(others)
    }

    func acceptedScores(_ test: (ModelScore) -> Bool = { _ in true }) -> [RecordHash] {
        scores.filter { test($0) && view.accepts($0) }.map(\.hash)
    }

    /// All that this node sees as valid.
    var seen: NameSet { NameSet(held.map(\.hash).filter(view.isValid) + acceptedScores()) }

    func seen(by member: MemberID) -> NameSet {
        NameSet(view.validRecords(by: member).sorted + acceptedScores { $0.by == member })
    }

    func act(_ deed: GroupWorld.Deed) {
        switch deed {
        case .score: score()
        case .admit: admit()
        case .invite: invite()
        case .suspend: write(authority ?? .zero, .suspend(other()))
        case .unsuspend:
            let some = world.some(view.validRecords(.suspend), 0.5).map(\.hash)
            write(authority ?? .zero, .unsuspend(NameSet(some)))
        case .grant: grant()
        case .demote: demote()
        case .revoke: revoke()
        case .remove: remove()
        case .title:
            let number = (view.title?.number ?? 0) + 1
            write(authority ?? .zero, .title(GroupTitle(number: number, title: "T\(world.count())")))
        case .rotate: rotate()
        case .transfer: transfer()
        case .close: close()
        }
    }

    func score() {
        let score = ModelScore(hash: world.freshHash(), by: key, device: device)
        take([], [score])
    }

    func admit(_ newcomer: MemberID? = nil) {
        let invites = view.openInvitations.filter { record in
            guard case .invite(let link) = record.act else { return false }
            return link.uses == Delegation.unlimited || record.by == key
        }
        guard !invites.isEmpty else { return }
        let invite = world.pick(invites)
        guard case .invite(let link) = invite.act else { return }
        var chain = [link]
        if world.chance(0.3) {
            let role = world.role(1...Int(link.role.rawValue))
            chain.append(
                Delegation(role: role, expiresSeconds: link.expiresSeconds - 1, uses: link.uses, key: .zero))
        }
        let subject = newcomer ?? world.freshMember()
        write(
            invite.hash,
            .admission(Admission(subject: subject, chain: chain, linkSignatures: [], proof: [])))
        world.nodes.append(GroupNode(world, subject, held: held, scores: scores))
    }

    func invite() {
        let role = world.role(1...(key == view.owner ? 3 : 2))
        let uses = world.pick([1, Delegation.unlimited, Delegation.unlimited])
        let link = Delegation(role: role, expiresSeconds: UInt64(world.int(3...9)), uses: uses, key: .zero)
        write(authority ?? .zero, .invite(link))
    }

    func grant(_ member: MemberID? = nil, _ role: Role? = nil) {
        let member = member ?? other()
        let role = role ?? world.role(1...3)
        write(authority ?? .zero, .grant(to: member, role: role, follows: view.demotions(of: member)))
    }

    @discardableResult
    func demote(_ member: MemberID? = nil) -> ControlRecord {
        let member = member ?? other()
        return write(
            authority ?? .zero, .demote(member, to: world.role(1...2), staying: seen(by: member)))
    }

    @discardableResult
    func revoke(_ invitation: RecordHash? = nil) -> ControlRecord? {
        let invites = view.validRecords(.invite).map(\.hash)
        guard !invites.isEmpty else { return nil }
        let invitation = invitation ?? world.pick(invites)
        let names = view.validRecords(under: invitation)
        return write(authority ?? .zero, .revoke(invitation: invitation, staying: names))
    }

    @discardableResult
    func remove(_ member: MemberID? = nil) -> ControlRecord {
        let member = member ?? other()
        let taking = write(authority ?? .zero, .remove(member, staying: seen(by: member)))
        // The removed may know their tokens, and come with another key.
        for invite in view.openInvitations { revoke(invite.hash) }
        rotate()
        return taking
    }

    @discardableResult
    func rotate() -> ControlRecord? {
        guard let last = view.rootRecord else { return nil }
        var number: UInt64 = 1
        if case .rotate(let rotation) = last.act { number = rotation.number + 1 }
        let rotation = Rotation(
            number: number, commitment: .zero, previous: last.hash, sealedPrevious: [], follows: view.removals)
        let root = write(authority ?? .zero, .rotate(rotation))
        world.holders[root.hash] = Set(view.members.keys)
        return root
    }

    @discardableResult
    func transfer() -> ControlRecord {
        let old = view.ownership ?? .zero
        let names = view.validRecords(under: old)
        return write(old, .transfer(Transfer(to: other(), acceptance: [], staying: names)))
    }

    func close() { write(authority ?? .zero, .close) }

    /// An owner device names, for each taking, what its other devices had seen as valid, and rotates if due.
    func merge(_ agreed: NameSet) {
        for giving in view.earlierOwnerships { write(authority ?? .zero, .keep(ownership: giving, staying: agreed)) }
        for taking in view.validRecords(.remove, .demote, .revoke) {
            switch taking.act {
            case .remove(let member, _): write(authority ?? .zero, .remove(member, staying: agreed))
            case .demote(let member, let role, _):
                write(authority ?? .zero, .demote(member, to: role, staying: agreed))
            case .revoke(let invitation, _):
                write(authority ?? .zero, .revoke(invitation: invitation, staying: agreed))
            default: break
            }
        }
        if view.isRootDue { rotate() }
    }
}
