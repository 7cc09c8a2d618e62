import NodeCore

/// The third stratum, for groups: each member's ticket and role.
struct Membership: Sendable {
    private let set: LedgerSet
    private let trust: LaneTrust
    private let words: OwnerWords
    /// The role of each member; `none` for everybody else.
    private(set) var roles: [Role]
    /// The invitations that count, each with those who stay by it if its issuer revoked it.
    private(set) var open: [Int: Set<Revoke.Stay>?] = [:]
    /// Lanes that have a place.
    private(set) var places: Set<Int>
    /// For each record: true if it is of these lanes and within their bounds.
    private(set) var isBounded: [Bool]
    private(set) var suspended: Set<Int> = []
    private(set) var left: Set<Int> = []
    /// The ticket on which a member without a Word stands.
    private(set) var claims: [Int: TicketID] = [:]
    /// The Enters that show the tickets by which members stand, one for each ticket.
    private(set) var shown: Set<Int> = []

    init(_ words: OwnerWords) {
        self.words = words
        trust = words.trust
        set = words.trust.set
        roles = Array(repeating: .none, count: set.members.count)
        roles[set.owner] = .owner
        places = []
        isBounded = Array(repeating: false, count: set.records.count)
        let bound = set.isAccount ? set.bounds.accountRecords : set.bounds.ownerRecords
        for lane in words.places { take(lane, bound) }
        guard !set.isAccount else { return }
        for member in words.words.keys where !words.dismissed.contains(member) {
            roles[member] = words.words[member]?.role ?? .none
        }
        let revoked = Set(words[.revoke].compactMap { set.records[$0].revoke?.invite })
        var theirs: [Int: Set<Revoke.Stay>?] = [:]
        for record in words[.invite] where !revoked.contains(set.records[record].hash) && isInvitation(record) {
            theirs[record] = .some(nil)
        }
        open = theirs
        contest(theirs)
        let admins = set.members.indices.filter { roles[$0] == .admin }
        for member in admins { place(member) }
        var given: [Int: Set<Revoke.Stay>?] = [:]
        for member in admins { given.merge(invites(of: member, revokedByOwner: revoked)) { first, _ in first } }
        open.merge(given) { first, _ in first }
        contest(given)
        let placed = Set(admins)
        for member in set.members.indices where member != set.owner && !placed.contains(member) { place(member) }
        judgeSuspensions()
    }

    /// Finds the members that stand on tickets of `invites`: of several for one ticket, the one whose hash with the
    /// ticket is lowest. A member that could stand on several of one role stands on the lowest. After a close,
    /// only what the Close names is bounded, so that no later record of the successor's founder displaces its claim.
    private mutating func contest(_ invites: [Int: Set<Revoke.Stay>?]) {
        var rivals: [TicketID: [Int: Int]] = [:]
        let isLive = words.last == nil ? nil : words.isLive
        for claim in set.claims {
            guard let lane = set.links[claim].lane, case .enter(let enter) = set.records[claim].act,
                case .ticket(let ticket, let key, _) = enter.entrance, let invite = set.number(of: ticket.invite),
                let stays = invites[invite]
            else { continue }
            let member = set.lanes[lane].member
            guard member != set.owner, words.words[member] == nil, words.isLive(claim), !words.used.contains(ticket),
                set.records[invite].invite?.keys.at(Int(ticket.index)) == key,
                trust.bounded(lane, to: set.bounds.memberRecords, where: isLive).contains(claim),
                stays?.contains(.init(index: ticket.index, member: set.members[member].id)) ?? true
            else { continue }
            let known = rivals[ticket]?[member]
            if known.map({ set.records[claim].hash < set.records[$0].hash }) ?? true {
                rivals[ticket, default: [:]][member] = claim
            }
        }
        for (ticket, members) in rivals.sorted(by: { $0.key < $1.key }) {
            guard let role = set[ticket.invite]?.invite?.role,
                let (first, claim) = members.min(by: {
                    set.bounds.lot(ticket, set.members[$0.key].id) < set.bounds.lot(ticket, set.members[$1.key].id)
                })
            else { continue }
            shown.insert(claim)
            claims[first] = roles[first] < role ? ticket : claims[first] ?? ticket
            roles[first] = max(roles[first], role)
        }
    }

    /// The invitations of an admin that count: in their order, each that keeps the sum within 64 tickets. A revoked one
    /// counts for the tickets that its Revokes name.
    private func invites(of member: Int, revokedByOwner: Set<RecordHash>) -> [Int: Set<Revoke.Stay>?] {
        var mine: [(depth: Int, hash: RecordHash, record: Int)] = []
        var revokes: [RecordHash: Set<Revoke.Stay>] = [:]
        for lane in set.members[member].lanes {
            for record in set.lanes[lane].records where isBounded[record] && words.isLive(record) {
                switch set.records[record].act {
                case .revoke(let revoke): revokes[revoke.invite, default: []].formUnion(revoke.stays)
                case .invite: mine.append((set.links[record].depth, set.records[record].hash, record))
                default: break
                }
            }
        }
        mine.sort { ($0.depth, $0.hash) < ($1.depth, $1.hash) }
        var given: [Int: Set<Revoke.Stay>?] = [:]
        var total = 0
        for (_, hash, record) in mine {
            guard let invite = set.records[record].invite, invite.role <= .member, isInvitation(record) else {
                continue
            }
            let stays = revokes[hash]
            let size = stays.map { Set($0.map(\.index)).count } ?? invite.keys.count
            guard !revokedByOwner.contains(hash), total + size <= set.bounds.adminTickets else { continue }
            total += size
            given[record] = .some(stays)
        }
        return given
    }

    private func isInvitation(_ record: Int) -> Bool {
        (set.records[record].invite?.keys.count).map { (1...set.bounds.tickets).contains($0) } ?? false
    }

    /// Gives a member's lanes their places. Of a dismissed member all lanes that Words name have one, and no other.
    private mutating func place(_ member: Int) {
        let isDismissed = words.dismissed.contains(member)
        guard roles[member] != .none || isDismissed else { return }
        // If all have a place, it does not matter whom Words name.
        let isContested = set.members[member].lanes.count > set.bounds.memberLanes
        let heads = isDismissed || isContested ? words.heads(on: member) : []
        let named = Set(heads.compactMap { set.number(of: $0).flatMap { set.links[$0].lane } })
        let lanes =
            isDismissed
            ? named.filter { set.lanes[$0].member == member && trust.hasKept($0) }.sorted()
            : trust.places(of: member, limit: set.bounds.memberLanes, named: named)
        for lane in lanes { take(lane, set.bounds.memberRecords) }
    }

    private mutating func take(_ lane: Int, _ limit: Int) {
        places.insert(lane)
        for record in trust.bounded(lane, to: limit, where: words.isOpen(in: lane)) { isBounded[record] = true }
    }

    /// True if a record of a member that is not the owner counts: by the role that the member has now, or because a
    /// Word keeps it.
    func hasRight(_ record: Int, needs role: Role, keptFor kept: Bool) -> Bool {
        guard let lane = set.links[record].lane else { return false }
        let member = set.lanes[lane].member
        if roles[member] >= role { return true }
        return kept && set.behind(words.heads(on: member, keeping: role), of: member).contains(record)
    }

    private mutating func judgeSuspensions() {
        var lifts: [RecordHash: Set<Int>] = [:]
        var suspends: [Int] = []
        for record in isBounded.indices where isBounded[record] {
            guard let kind = set.links[record].kind, let lane = set.links[record].lane else { continue }
            let member = set.lanes[lane].member
            let isOwner = member == set.owner
            switch kind {
            case .leave where !isOwner && words.isLive(record) && hasRight(record, needs: .viewer, keptFor: false):
                left.insert(member)
            case .suspend where isOwner || words.isLive(record) && hasRight(record, needs: .admin, keptFor: false):
                suspends.append(record)
            case .unsuspend where isOwner || words.isLive(record) && hasRight(record, needs: .admin, keptFor: true):
                if case .unsuspend(let suspension) = set.records[record].act {
                    lifts[suspension, default: []].insert(member)
                }
            default: break
            }
        }
        for record in suspends {
            guard let target = set.links[record].subject, target != set.owner, let lane = set.links[record].lane else {
                continue
            }
            var by = lifts[set.records[record].hash] ?? []
            by.remove(target)
            // The owner's suspension is lifted by the owner only.
            if set.lanes[lane].member == set.owner { by.formIntersection([set.owner]) }
            if by.isEmpty { suspended.insert(target) }
        }
    }
}

extension LedgerRecord {
    package var invite: Invite? { if case .invite(let invite) = act { invite } else { nil } }
    var revoke: Revoke? { if case .revoke(let revoke) = act { revoke } else { nil } }
}

extension Array {
    fileprivate func at(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
