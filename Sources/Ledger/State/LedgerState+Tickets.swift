package import NodeCore

/// Invitations of a group, and the members who used them.
extension LedgerState {
    /// An invitation that counts and that nobody revoked.
    package struct Invitation: Sendable {
        package let record: RecordHash
        package let invite: Invite
        package let issuer: MemberID
        /// The used tickets with their members, ascending by index.
        package let used: [Revoke.Stay]

        /// True if nobody can join by it any more.
        package var isUsedUp: Bool { used.count >= invite.keys.count }
    }

    /// Ascending by hash.
    package var invitations: [Invitation] {
        let used = usedTickets
        return membership.open.compactMap { record, stays -> Invitation? in
            guard stays == nil, let invite = set.records[record].invite, let issuer = author(of: record) else {
                return nil
            }
            let hash = set.records[record].hash
            let taken = used.filter { $0.key.invite == hash }.map {
                Revoke.Stay(index: $0.key.index, member: set.members[$0.value].id)
            }
            return Invitation(record: hash, invite: invite, issuer: issuer, used: taken.sorted { $0.index < $1.index })
        }.sorted { $0.record < $1.record }
    }

    /// Whether a ticket is valid, and if not, why.
    package enum TicketStanding: Hashable, Sendable {
        case open(Invite, issuer: MemberID)
        case used(by: MemberID)
        /// Somebody revoked its invitation, or took away its author's right to invite.
        case revoked
        /// Its invitation is not held, or never counted.
        case unknown
        /// The invitation has another key in its place.
        case foreign
    }

    package func standing(of ticket: TicketID, key: Bytes32) -> TicketStanding {
        guard let record = set.number(of: ticket.invite), let invite = set.records[record].invite,
            let issuer = author(of: record)
        else { return .unknown }
        guard invite.keys.indices.contains(Int(ticket.index)), invite.keys[Int(ticket.index)] == key else {
            return .foreign
        }
        if let member = usedTickets[ticket] { return .used(by: set.members[member].id) }
        if case .some(nil) = membership.open[record] { return .open(invite, issuer: issuer) }
        return ends(of: record).isEmpty ? .unknown : .revoked
    }

    /// True if what revoked an invitation did so for ever. A Word that only took its author's right to invite may be
    /// followed by another, which is not held.
    package func isRevokedForEver(_ invite: RecordHash) -> Bool {
        guard let record = set.number(of: invite) else { return false }
        return ends(of: record).contains { set.records[$0].word.map { $0.role == .none } ?? true }
    }

    /// The member that used each ticket: the one that a Word names with it, of several the lowest id; otherwise the one
    /// that stands on it.
    private var usedTickets: [TicketID: Int] {
        var used: [TicketID: Int] = [:]
        for (member, said) in words.words {
            for ticket in said.words.compactMap({ set.records[$0].word?.ticket?.ticket }) {
                if let other = used[ticket], set.members[other].id < set.members[member].id { continue }
                used[ticket] = member
            }
        }
        for (member, ticket) in membership.claims where membership.roles[member] != .none && used[ticket] == nil {
            used[ticket] = member
        }
        return used
    }

    /// The ticket that a member used; nil for the owner, and for an unknown member.
    package func ticket(of member: MemberID) -> Word.UsedTicket? {
        guard let number = set.number(known: member) else { return nil }
        if let ticket = words.words[number]?.words.lazy.compactMap({ self.set.records[$0].word?.ticket }).first {
            return ticket
        }
        return membership.claims[number].flatMap { ticket in
            set.number(of: ticket.invite).flatMap(author).map { Word.UsedTicket(issuer: $0, ticket: ticket) }
        }
    }

    /// The member that signed a record.
    package func author(of record: RecordHash) -> MemberID? { set.number(of: record).flatMap(author) }

    private func author(of record: Int) -> MemberID? {
        set.links[record].lane.map { set.members[set.lanes[$0].member].id }
    }

    /// The members that stand by tickets alone, ascending. An owner's device confirms them as soon as it sees them.
    package var unconfirmed: [MemberID] {
        membership.claims.keys.filter { membership.isIn($0) && words.words[$0] == nil }.map { set.members[$0].id }
            .sorted()
    }

    /// Everybody who was dismissed for ever, ascending.
    package var dismissed: [MemberID] { words.dismissed.map { set.members[$0].id }.sorted() }
    /// Those who left, ascending.
    package var left: [MemberID] { membership.left.map { set.members[$0].id }.sorted() }
    package var suspended: Set<MemberID> { Set(membership.suspended.map { set.members[$0].id }) }

    /// The Offers that count, each with its author, ascending by hash.
    package var offers: [(founder: MemberID, offer: Offer)] {
        self.set.records.indices.compactMap { record -> (hash: RecordHash, founder: MemberID, offer: Offer)? in
            let hash = set.records[record].hash
            guard case .offer(let offer) = set.records[record].act, let founder = author(of: record), counts(hash)
            else {
                return nil
            }
            return (hash, founder, offer)
        }.sorted { $0.hash < $1.hash }.map { ($0.founder, $0.offer) }
    }

    /// The suspensions of a member that count, ascending.
    package func suspensions(of member: MemberID) -> [RecordHash] {
        guard let number = set.number(known: member) else { return [] }
        return set.records.indices.filter { membership.isBounded[$0] && set.links[$0].kind == .suspend }
            .filter { set.links[$0].subject == number }.map { set.records[$0].hash }.filter(counts).sorted()
    }

    /// The highest revision of the Words on a member that count, and of the Titles.
    package func wordRevision(of member: MemberID) -> UInt64 {
        set.number(known: member).flatMap { words.words[$0]?.newest.revision } ?? 0
    }
}

extension LedgerState {
    /// The tickets with which a member's first lane entered, valid or not.
    package func tickets(claimedBy member: MemberID) -> [(ticket: TicketID, key: Bytes32)] {
        set.claims.compactMap { claim in
            guard case .enter(let enter) = set.records[claim].act, enter.member == member,
                case .ticket(let ticket, let key, _) = enter.entrance
            else { return nil }
            return (ticket, key)
        }
    }
}
