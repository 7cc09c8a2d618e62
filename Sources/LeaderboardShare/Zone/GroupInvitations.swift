package import Ledger
package import NodeCore
import SyncState

/// Invitations, and letting people in. The door judges what no function of the set can: the time, and the group's
/// limit.
package final class GroupInvitations {
    private let context: GroupContext
    private let roster: GroupRoster

    init(_ context: GroupContext, _ roster: GroupRoster) {
        (self.context, self.roster) = (context, roster)
    }

    private var state: LedgerState { context.state }

    /// The invitations that are open, ascending by id.
    package var open: [LedgerState.Invitation] { state.invitations }

    /// Creates an invitation for up to 64 people, and its token.
    ///
    /// - Parameter expires: by the clock of the device that opens the door.
    package func invite(
        role: Role = .member, people: Int = 1, expires: WallTime = .never, hints: [SocketAddress] = []
    ) throws -> GroupToken {
        try context.checkMember(.admin)
        let own = state.role(of: context.member)
        guard role < own, role != .none, own == .owner || role <= .member else { throw GroupError.notAllowed }
        guard (1...Ledger.Limits.tickets).contains(people) else { throw GroupError.tooManyPeople }
        let secret = TicketNode(covering: people, random: &context.random)
        let keys = (0..<people).map { secret.key(of: $0).publicKey }
        let record = try context.write(.invite(Invite(role: role, expires: expires, keys: keys)))
        guard state.invitations.contains(where: { $0.record == record }) else { throw GroupError.tooManyTickets }
        return GroupToken(
            group: context.keys.zone, invite: record, people: people,
            door: GroupDoor.secret(of: context.membership.root),
            title: roster.title?.title ?? "", secret: secret, hints: hints)
    }

    /// Revokes an invitation; members who used it stay. The owner revokes anybody's, an admin its own.
    package func revoke(_ invitation: RecordHash) throws {
        try context.checkMember(.admin)
        guard let open = state.invitations.first(where: { $0.record == invitation }) else {
            throw GroupError.noSuchInvitation
        }
        guard context.owns || open.issuer == context.member else { throw GroupError.notAllowed }
        try roster.confirmAll()
        try end(open)
    }

    private func end(_ invitation: LedgerState.Invitation) throws {
        try context.write(.revoke(Revoke(invite: invitation.record, stays: context.owns ? [] : invitation.used)))
    }

    /// Ends this member's invitations by which nobody can join any more, so that no other holder of their tickets
    /// displaces those who joined.
    func endOver() throws {
        guard context.membership.ownStanding == .active, !state.isClosed,
            state.role(of: context.member) >= .admin
        else { return }
        try roster.confirmAll()
        for invitation in state.invitations where invitation.issuer == context.member {
            if invitation.isUsedUp || invitation.invite.expires < context.store.wall { try end(invitation) }
        }
    }

    /// When the next invitation of this member expires; nil if none does.
    var nextExpiry: WallTime? {
        state.invitations.filter { $0.issuer == context.member && $0.invite.expires != .never }
            .map(\.invite.expires).min()
    }

    // MARK: The door

    /// The records that a member gives to a joiner whom it lets in.
    struct Admission {
        let member: MemberID
        /// The Enter that was taken, and what shows that the joiner and this member belong here.
        let shown: [LedgerRecord]
    }

    /// Lets in a joiner who shows tickets: takes the Enter with the first free ticket, and gives it the newest roots. A
    /// joiner who is in already is only shown so.
    ///
    /// - Parameter enters: of one lane, for one member, verified.
    /// - Throws: `GroupError`; nothing is written then.
    func admit(_ enters: [LedgerRecord], wall: WallTime) throws -> Admission {
        guard let lane = enters.first?.lane, case .enter(let first)? = enters.first?.act,
            enters.allSatisfy({ Self.isClaim($0, of: lane, for: first.member) })
        else { throw GroupError.notValid }
        if state.isClosed { throw GroupError.closed }
        guard state.role(of: context.member) >= .member, context.membership.ownStanding == .active else {
            throw GroupError.notAllowed
        }
        let joiner = LaneKey(lane, of: first.member)
        if state.standing(of: joiner) != .active {
            // Nobody comes back as the same member: its Enter would only use a ticket up.
            guard !state.isDismissed(joiner.member), !state.hasLeft(joiner.member) else { throw GroupError.notValid }
            // Until the owner's word, one member may stand before others at tickets that it does not use.
            let enter = try usable(enters, wall).first { enter in
                LedgerState(state.set.assuming([enter])).standing(of: joiner) == .active
            }
            guard let enter else { throw GroupError.noSuchInvitation }
            try context.store.begin()
            try context.membership.records.take(own: enter)
        }
        try context.membership.seal(to: joiner)
        return Admission(member: joiner.member, shown: state.path(of: joiner) + state.path(of: context.membership.own))
    }

    private static func isClaim(_ record: LedgerRecord, of lane: LaneID, for member: MemberID) -> Bool {
        guard case .enter(let enter) = record.act, case .ticket = enter.entrance else { return false }
        return record.lane == lane && enter.firstLane == lane && enter.member == member
    }

    /// The Enters whose tickets are free; there is at least one.
    private func usable(_ enters: [LedgerRecord], _ wall: WallTime) throws -> [LedgerRecord] {
        guard state.members.count < context.keys.memberLimit else { throw GroupError.full }
        var (free, reasons): ([LedgerRecord], [GroupError]) = ([], [])
        for record in enters {
            guard case .enter(let enter) = record.act, case .ticket(let ticket, let key, _) = enter.entrance else {
                continue
            }
            // The invitation has expired anyway: that is the reason, whoever ended it.
            let isExpired = state.set[ticket.invite]?.invite.map { $0.expires <= wall } ?? false
            switch state.standing(of: ticket, key: key) {
            case .open where isExpired, .revoked where isExpired: reasons.append(.expired)
            case .open: free.append(record)
            case .used: reasons.append(.usedUp)
            case .revoked: reasons.append(.revoked)
            case .foreign: reasons.append(.notValid)
            case .unknown: reasons.append(.noSuchInvitation)
            }
        }
        guard free.isEmpty else { return free }
        // If an invitation ended early, some of its tickets are used and the others revoked.
        throw reasons.first { $0 != .usedUp } ?? reasons.first ?? .notValid
    }
}

extension WallTime {
    /// For an invitation that does not expire.
    package static let never = WallTime(milliseconds: .max)
}
