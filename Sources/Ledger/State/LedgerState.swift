package import NodeCore

/// Who belongs to a zone. A function of the set of control records alone: no arrival, clock or claimed date matters.
///
/// It never changes. An object, since it is asked for in each turn and a copy would retain each of its collections.
package final class LedgerState: Sendable {
    package let set: LedgerSet
    let trust: LaneTrust
    let words: OwnerWords
    let membership: Membership
    let roots: RootTips
    let returns: RootReturns
    /// Lanes that left an account, and replicas that were ended.
    let ended: Set<Int>
    /// Lanes that stand: they open sessions, write, and are given roots.
    let standing: Set<Int>
    /// Seals that standing lanes could not open, with those lanes: the Seals gave them nothing.
    let unopened: [RecordHash: Set<Bytes32>]

    package init(_ set: LedgerSet) {
        self.set = set
        let trust = LaneTrust(set)
        let words = OwnerWords(trust)
        let membership = Membership(words)
        var (gone, minor): (Set<RecordHash>, Set<RecordHash>) = ([], [])
        for remove in trust.removes {
            guard let member = set.links[remove].subject, set.isAccount || membership.isIn(member) else { continue }
            gone.insert(set.records[remove].hash)
            if member != set.owner { minor.insert(set.records[remove].hash) }
        }
        for record in words.words.values.lazy.flatMap(\.words) where set.records[record].word?.role == Role.none {
            gone.insert(set.records[record].hash)
        }
        var ended: Set<Int> = []
        if set.isAccount {
            for record in words[.leave] {
                if let lane = set.links[record].lane { ended.insert(lane) }
            }
            for record in words[.end] {
                guard case .end(let lane) = set.records[record].act else { continue }
                gone.insert(set.records[record].hash)
                let key = LaneKey(lane, of: set.members[set.owner].id, isReplica: true)
                if let replica = set.number(of: key) { ended.insert(replica) }
            }
        }
        self.trust = trust
        self.words = words
        self.membership = membership
        self.ended = ended
        roots = RootTips(words, gone: gone, minor: minor)
        returns = RootReturns(membership, words, roots)
        standing = membership.places.filter { lane in
            trust.roots[lane] != nil && membership.isIn(set.lanes[lane].member) && !ended.contains(lane)
                && !trust.isSucceeded(lane)
        }
        var unopened: [RecordHash: Set<Bytes32>] = [:]
        for lane in standing where !set.lanes[lane].key.isReplica {
            for record in set.lanes[lane].records where membership.isBounded[record] {
                guard case .unopened(let seals) = set.records[record].act else { continue }
                for seal in seals { unopened[seal, default: []].insert(set.lanes[lane].key.lane.storage) }
            }
        }
        self.unopened = unopened
    }

    // MARK: Lanes

    /// How a lane stands.
    package enum LaneStanding: String, Sendable {
        case active
        /// A fresh start of the same device writes in its place.
        case succeeded
        /// Lost its endorser; it may be entered again.
        case lapsed
        /// It left, or, a replica, was ended.
        case left
        /// For ever.
        case removed
        /// More lanes than have a place stand before it, or it belongs to no member.
        case displaced
        /// No Enter of it is held.
        case unknown
    }

    package func standing(of key: LaneKey) -> LaneStanding {
        guard let lane = set.number(of: key) else { return .unknown }
        if trust.removals[lane] != nil { return .removed }
        if set.lanes[lane].enters.isEmpty { return .unknown }
        if trust.roots[lane] == nil { return .lapsed }
        if ended.contains(lane) { return .left }
        if trust.isSucceeded(lane) { return .succeeded }
        return standing.contains(lane) ? .active : .displaced
    }

    /// The lanes that stand, ascending.
    package var standingLanes: [LaneKey] { standing.map { set.lanes[$0].key }.sorted() }

    // MARK: Members

    package var owner: MemberID { self.set.members[set.owner].id }

    package var isClosed: Bool { words.last != nil }

    /// The group in which a closed group continues.
    package var successor: Close.Successor? { words.successor }

    /// The newest name of a group that counts.
    package var title: Title? {
        var best: (title: Title, hash: RecordHash)?
        for record in words[.title] {
            guard case .title(let title) = self.set.records[record].act else { continue }
            let hash = self.set.records[record].hash
            if let known = best, (title.revision, hash) < (known.title.revision, known.hash) { continue }
            best = (title, hash)
        }
        return best?.title
    }

    /// Everybody who has a role and did not leave.
    package var members: [MemberID: Role] {
        var members: [MemberID: Role] = [:]
        for (number, role) in membership.roles.enumerated() where membership.isIn(number) {
            members[set.members[number].id] = role
        }
        return members
    }

    /// - Parameter orBefore: of a dismissed member, the role that it had. The Words that dismiss it say for which role
    ///   they keep what it wrote.
    package func role(of member: MemberID, orBefore: Bool = false) -> Role {
        guard let number = set.number(known: member) else { return .none }
        guard orBefore, let said = words.words[number] else { return membership.roles[number] }
        let dismissals = said.words.compactMap { set.records[$0].word }.filter { $0.role == .none }
        return max(membership.roles[number], dismissals.map(\.keep).max() ?? .none)
    }

    package func isConfirmed(_ member: MemberID) -> Bool {
        set.number(known: member).map { words.words[$0] != nil } ?? false
    }

    package func isSuspended(_ member: MemberID) -> Bool {
        set.number(known: member).map { membership.suspended.contains($0) } ?? false
    }

    package func isDismissed(_ member: MemberID) -> Bool {
        set.number(known: member).map { words.dismissed.contains($0) } ?? false
    }

    package func hasLeft(_ member: MemberID) -> Bool {
        set.number(known: member).map { membership.left.contains($0) } ?? false
    }

    // MARK: Rows

    /// Which rows of a lane count.
    package enum RowRule: Hashable, Sendable {
        case none
        case all
        /// For a lane removed from an account: the rows whose hashes are in these blobs.
        case listed([BlobHash])
        /// The rows at or below a head of each of these lists.
        case behind([[RecordHash]])
    }

    /// - Parameter role: the role that their author needs.
    package func rows(of key: LaneKey, needing role: Role = .member) -> RowRule {
        guard let lane = set.number(of: key), membership.places.contains(lane), !key.isReplica else { return .none }
        let removal = trust.removals[lane]
        if set.isAccount {
            if let removal { return .listed(removal.stays.sorted()) }
            return trust.roots[lane] == nil ? .none : .all
        }
        var each: [[RecordHash]] = []
        if let removal { each.append(removal.heads.sorted()) }
        if words.last != nil { each.append(words.lastHeads.sorted()) }
        let member = set.lanes[lane].member
        if membership.roles[member] < role { each.append(words.heads(on: member, keeping: role).sorted()) }
        if each.contains([]) { return .none }
        return each.isEmpty ? .all : .behind(each)
    }

    // MARK: Roots

    /// The counting roots that no held root builds on: new ones are made from these, and they are sealed.
    package func tips(held: Set<RecordHash>) -> [RecordHash] { roots.tips(held: held) }

    /// The root under which a device that holds these writes.
    package func newestRoot(held: Set<RecordHash>) -> RecordHash? { roots.newest(held: held) }

    /// True if a device that holds these roots should make a new one.
    ///
    /// - Parameter resting: if true, members of a group removing lanes of their own are no reason.
    package func isRotationDue(held: Set<RecordHash>, resting: Bool = false) -> Bool {
        roots.isDue(held: held, resting: resting)
    }

    /// The records that a new root covers.
    package var covers: [RecordHash] { roots.gone.sorted() }

    /// The Rotates that count, with their numbers; the first root is genesis' hash, with number 0.
    package var rotates: [RecordHash: UInt64] { roots.counting.mapValues(\.number) }

    /// False for the first root, which everybody in the zone has.
    func mayBeSealed(_ root: RecordHash) -> Bool { roots.maySeal(root) && root.storage != set.zone.storage }

    /// Roots that no longer count and that a device still takes, because members gave them back.
    package var returned: Set<RecordHash> { returns.isEmpty ? [] : returns.returned(holding: Set(held)) }

    /// The recipients that have a root: by a Seal that opens to them, of a standing lane of genesis' member; or by any
    /// Seal of the sealer's own, which does not seal again.
    func served(_ root: RecordHash, by sealer: LaneKey) -> Set<Bytes32> {
        var served: Set<Bytes32> = []
        for lane in standing where set.lanes[lane].key == sealer || set.lanes[lane].member == set.owner {
            for record in set.lanes[lane].records where membership.isBounded[record] {
                guard case .seal(let seal) = set.records[record].act, seal.rotate == root else { continue }
                let junk = set.lanes[lane].key == sealer ? [] : unopened[set.records[record].hash] ?? []
                served.formUnion(seal.entries.lazy.map(\.recipient).filter { !junk.contains($0) })
            }
        }
        return served
    }
}

extension Membership {
    /// True for a member with a role that did not leave.
    func isIn(_ member: Int) -> Bool { roles[member] != .none && !left.contains(member) }
}

extension LedgerRecord {
    var word: Word? { if case .word(let word) = act { word } else { nil } }
}
