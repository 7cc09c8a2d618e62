package import NodeCore

/// Why a control record counts, or does not.
package enum Verdict: Hashable, Sendable {
    case counts
    /// It is not held.
    case unknown
    /// A record that it follows is not held, so nobody can say whose it is.
    case unlinked
    /// Signed by a person whose lanes these are not.
    case foreign
    /// Its lane lost the one that let it in.
    case lapsed
    /// Its lane was removed, and the removal does not keep it.
    case removed
    /// Its lane is beyond those that have a place, or its author is no member.
    case displaced
    /// Beyond the number of records that one lane may have.
    case beyondBound
    /// Written after the group was closed.
    case closed
    /// An invitation that was revoked, that gives more than its issuer may, or is beyond the tickets of an admin.
    case notOpen
    /// Its author's present role is lower than it needs.
    case noRight(needs: Role)
    /// A root that builds on no counting one, or has a wrong number.
    case unfounded
    /// A kind that only groups have, in an account.
    case ofGroups
    /// A kind of a later version.
    case later
}

extension LedgerState {
    package func counts(_ hash: RecordHash) -> Bool { why(hash) == .counts }

    /// Why a record counts or not.
    package func why(_ hash: RecordHash) -> Verdict {
        guard let record = set.number(of: hash), let kind = set.links[record].kind else {
            return set.contains(hash) ? .later : .unknown
        }
        switch kind {
        case .genesis: return .counts
        case .remove: return trust.removes.contains(record) ? .counts : .foreign
        default: break
        }
        if set.isAccount, kind.isOfGroups { return .ofGroups }
        guard let lane = set.links[record].lane else { return .unlinked }
        if kind == .rotate, roots.counting[hash] != nil { return .counts }
        guard trust.keeps(record) else {
            return trust.removals[lane] == nil ? .lapsed : .removed
        }
        guard membership.places.contains(lane) else { return .displaced }
        guard membership.isBounded[record] else {
            guard words.isOpen(in: lane)?(record) == false else { return .beyondBound }
            return words.isLive(record) ? .noRight(needs: kind.need ?? .owner) : .closed
        }
        if set.lanes[lane].key.isReplica, kind != .enter, kind != .leave { return .noRight(needs: .member) }
        let member = set.lanes[lane].member
        if member == set.owner {
            switch kind {
            case .rotate: return .unfounded
            case .invite: return membership.open[record] == nil ? .notOpen : .counts
            case .word:
                return set.links[record].subject.flatMap { words.words[$0] }?.words.contains(record) ?? false
                    ? .counts : .notOpen
            default: return .counts
            }
        }
        guard let need = kind.need else { return .noRight(needs: .owner) }
        // The successor's founder may offer its tickets after the close, too.
        let isFoundersOffer = kind == .offer && words.successor?.founder == set.members[member].id
        guard words.isLive(record) || isFoundersOffer else { return .closed }
        if kind == .invite { return membership.open[record] == nil ? .notOpen : .counts }
        guard membership.hasRight(record, needs: need, keptFor: kind == .unsuspend) else {
            return .noRight(needs: need)
        }
        return .counts
    }
}

extension LedgerKind {
    /// The role that a member needs for it; nil for what only the owner does.
    fileprivate var need: Role? {
        switch self {
        case .genesis, .remove, .word, .title, .rotate, .close, .end: nil
        case .invite, .revoke, .suspend, .unsuspend: .admin
        case .enter, .seal, .leave, .offer, .unopened: .viewer
        }
    }

    fileprivate var isOfGroups: Bool { (Self.invite.rawValue...Self.close.rawValue).contains(rawValue) }
}
