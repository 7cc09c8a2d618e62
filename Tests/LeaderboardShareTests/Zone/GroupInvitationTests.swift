import Gossip
import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Group zones: invitations", .timeLimit(.minutes(30))) struct GroupInvitationTests {
    private let anna: GroupBench
    private let ben: GroupBench

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        ben = try anna.admit("ben", 2, with: anna.zone.invitations.invite())
        try anna.meet(ben)
    }

    private func invite(_ people: Int = 1, role: Role = .member) throws -> GroupToken {
        let token = try anna.zone.invitations.invite(role: role, people: people)
        try anna.turn()
        try anna.meet(ben)
        return token
    }

    @Test("Any member lets in by a ticket while the owner is away; the owner's device confirms when it hears of it")
    func ownerAway() throws {
        let token = try invite()
        let cleo = try ben.admit("cleo", 3, with: token)
        #expect(cleo.zone.access == .member && ben.state.unconfirmed == [cleo.member])
        try cleo.post(2)
        try cleo.meet(ben)
        #expect(ben.points([cleo.member]) == [5])
        try ben.meet(anna)
        for bench in [anna, ben] {
            #expect(bench.state.isConfirmed(cleo.member) && bench.state.unconfirmed.isEmpty)
        }
        #expect(anna.zone.roster.members().first { $0.id == cleo.member }?.invitedBy == anna.member)
    }

    @Test("An invitation that nobody can come by any more is ended by its issuer's device")
    func usedUp() throws {
        let token = try invite(2)
        _ = try ben.admit("cleo", 3, with: token)
        try ben.meet(anna)
        #expect(anna.zone.invitations.open.count == 1)
        _ = try ben.admit("dee", 4, with: token)
        try ben.meet(anna)
        #expect(anna.zone.invitations.open.isEmpty && ben.zone.invitations.open.isEmpty)
        #expect(anna.state.members.count == 4)
    }

    @Test("One that expired ends with the next look at the clock")
    func expired() throws {
        let token = try anna.zone.invitations.invite(expires: GroupBench.wall + .seconds(60))
        try anna.turn()
        #expect(anna.zone.invitations.open.count == 1)
        #expect(try GroupBench(anna.welcome("cleo", 3, with: token), 3).zone.access == .joining)
        let other = try anna.zone.invitations.invite(people: 2, expires: GroupBench.wall + .seconds(60))
        anna.zone.store.setTime(now: .zero, wall: GroupBench.wall + .seconds(61))
        // The door itself checks the clock.
        #expect(try anna.refusal(of: "dee", 4, with: other) == .expired)
        #expect(anna.zone.invitations.open.isEmpty && anna.state.members.count == 3)
    }

    @Test("Used, revoked, of another group and of a full one: each is refused, and nothing is written")
    func refused() throws {
        let limited = try GroupBench(founder: "olga", 9, memberLimit: 2)
        let places = try limited.zone.invitations.invite(people: 3)
        _ = try limited.admit("cleo", 3, with: places)
        let full = limited.ledger.count
        #expect(try limited.refusal(of: "dee", 4, with: places) == .full)
        #expect(limited.ledger.count == full)
        // A member is only shown that it is in already.
        #expect(try limited.refusal(of: "cleo", 3, with: places) == nil)
        #expect(limited.ledger.count == full)

        let used = try invite(2)
        let (one, rest) = try used.split(people: 1)
        _ = try anna.admit("cleo", 3, with: one)
        let revoked = try invite()
        try anna.zone.invitations.revoke(revoked.invite)
        try anna.turn()
        let before = anna.ledger.count
        #expect(try anna.refusal(of: "dee", 4, with: one) == .usedUp)
        #expect(try anna.refusal(of: "dee", 4, with: revoked) == .revoked)
        guard case .waiting(nil) = try anna.open(to: GroupBench.attempt("dee", 4, with: places)) else {
            Issue.record("answered for another group")
            return
        }
        #expect(anna.ledger.count == before)
        #expect(throws: GroupError.noSuchInvitation) { try anna.zone.invitations.revoke(revoked.invite) }
        _ = try anna.admit("dee", 4, with: rest)
        #expect(anna.state.members.count == 4)
    }

    @Test("The keys of an invitation are its own: one who knows only its record comes in by nothing")
    func foreignTickets() throws {
        let token = try invite()
        var random: any RandomSource = SeededRandom(seed: 99)
        let forged = GroupToken(
            group: token.group, invite: token.invite, people: 1, door: token.door, title: "Family",
            secret: TicketNode(covering: 1, random: &random))
        #expect(try anna.refusal(of: "mallory", 8, with: forged) == .notValid)
        let invented = GroupToken(
            group: token.group, invite: RecordHash(.zero), people: 1, door: token.door, title: "Family",
            secret: token.nodes[0])
        #expect(try anna.refusal(of: "mallory", 8, with: invented) == .notReady)
        #expect(anna.state.members.count == 2)
    }

    @Test("One who was in when its invitation was revoked stays; one whom the owner did not know lapses, and returns")
    func lapsed() throws {
        let token = try invite(3)
        let cleo = try anna.admit("cleo", 3, with: token)
        let dee = try ben.admit("dee", 4, with: token)
        try dee.post(2)
        try dee.meet(ben)
        try anna.zone.invitations.revoke(token.invite)
        try anna.turn()
        try anna.meet(ben)
        #expect(ben.state.members[cleo.member] == .member && ben.state.members[dee.member] == nil)
        #expect(ben.points([dee.member]) == [0])
        try dee.take(ben.ledger)
        #expect(dee.zone.access == .lapsed)
        #expect(throws: GroupError.lapsed) { try dee.post(1) }
        // With another ticket for the same lane, what it wrote counts again.
        let next = try invite()
        try dee.zone.take(ben.welcome("dee", 4, with: next))
        try dee.turn()
        #expect(try dee.meet(ben))
        #expect(dee.zone.access == .member)
        #expect(ben.points([dee.member]) == [5])
        #expect(try ben.meet(anna))
        #expect(anna.points([dee.member]) == [5])
    }

    @Test("Two who come by one ticket at two doors: one stays, and the other comes by another ticket")
    func race() throws {
        let token = try invite()
        let cleo = try anna.admit("cleo", 3, with: token)
        let dee = try ben.admit("dee", 4, with: token)
        #expect(cleo.zone.access == .member && dee.zone.access == .member)
        try anna.meet(ben)
        // The owner's device had confirmed the one it let in.
        #expect(ben.state.members[cleo.member] == .member && ben.state.members[dee.member] == nil)
        try dee.take(ben.ledger)
        #expect(dee.zone.access == .lapsed)
        try dee.zone.take(ben.welcome("dee", 4, with: invite()))
        try dee.turn()
        #expect(try dee.meet(anna))
        #expect(dee.zone.access == .member && anna.state.members.count == 4)
    }

    /// Lets Dee meet Anna, who never heard of Dee, and come in by another invitation.
    private func meets(_ dee: GroupBench) throws {
        #expect(dee.zone.access == .member)
        try dee.meet(anna)
        #expect(dee.zone.access == .lapsed)
        #expect(try dee.reopened().zone.access == .lapsed)
        try dee.zone.take(anna.welcome("dee", 4, with: anna.zone.invitations.invite()))
        try dee.turn()
        try dee.meet(anna)
        #expect(try dee.meet(anna))
        #expect(dee.zone.access == .member && anna.state.members[dee.member] == .member)
    }

    @Test("Who lapsed learns it of whom it meets, though nobody there ever heard of it, and comes by another ticket")
    func told() throws {
        let shared = try invite()
        _ = try anna.admit("cleo", 3, with: shared)
        try meets(ben.admit("dee", 4, with: shared))
    }

    @Test(
        "Who came to a group that was closed by a device which had not heard of it is told that it is closed",
        arguments: [true, false])
    func closedMeanwhile(isInvitationKnown: Bool) throws {
        let phone = try anna.another(5)
        try phone.meet(anna)
        let token = try invite()
        if isInvitationKnown { try phone.meet(anna) }
        let dee = try ben.admit("dee", 4, with: token)
        try dee.post(2)
        try phone.zone.roster.close()
        try phone.turn()
        #expect(phone.state.members[dee.member] == nil && dee.zone.access == .member)
        let tablet = try dee.another(6)
        for device in [dee, tablet] {
            try device.meet(phone)
            #expect(device.zone.access == .closed)
            #expect(try device.reopened().zone.access == .closed)
            #expect(throws: GroupError.closed) { try device.post(1, day: 20_001) }
        }
    }

    @Test("So does who came by a device that was removed since, and was confirmed by it", arguments: [true, false])
    func stolen(isInvitationKnown: Bool) throws {
        let phone = try anna.another(5)
        try phone.meet(anna)
        let token = try phone.zone.invitations.invite()
        try phone.turn()
        if isInvitationKnown { try phone.meet(anna) }
        let dee = try phone.admit("dee", 4, with: token)
        try dee.meet(phone)
        #expect(dee.state.isConfirmed(dee.member))
        try anna.zone.roster.remove(device: phone.zone.lane, by: GroupBench.key("anna"))
        try anna.turn()
        try meets(dee)
    }

    @Test("So does who came by an admin that is none any more", arguments: [Role.member, .none])
    func fallen(role: Role) throws {
        try anna.zone.roster.set(.admin, of: ben.member)
        try anna.turn()
        try anna.meet(ben)
        let dee = try ben.admit("dee", 4, with: ben.zone.invitations.invite())
        switch role {
        case .none: try anna.zone.roster.remove(ben.member)
        default: try anna.zone.roster.set(role, of: ben.member)
        }
        try anna.turn()
        try meets(dee)
    }

    @Test("Of two unconfirmed ones for a ticket the same one stays on every device")
    func unconfirmedRace() throws {
        let token = try invite()
        let finn = try anna.admit("finn", 5, with: invite())
        let cleo = try ben.admit("cleo", 3, with: token)
        let dee = try finn.admit("dee", 4, with: token)
        let members = [cleo.member, dee.member]
        try finn.meet(ben)
        try ben.meet(finn)
        let standing = [ben, finn].map { bench in members.filter { bench.state.members[$0] != nil } }
        #expect(standing[0] == standing[1] && standing[0].count == 1)
        try anna.meet(ben)
        #expect(members.filter { anna.state.isConfirmed($0) } == standing[0])
    }

    @Test("An admin invites members, sixty-four in all; when it falls, those it let in stay once they are confirmed")
    func admins() throws {
        #expect(throws: GroupError.notAllowed) { try ben.zone.invitations.invite() }
        try anna.zone.roster.set(.admin, of: ben.member)
        try anna.turn()
        try anna.meet(ben)
        #expect(throws: GroupError.notAllowed) { try ben.zone.invitations.invite(role: .admin) }
        #expect(throws: GroupError.tooManyPeople) { try ben.zone.invitations.invite(people: 65) }
        let token = try ben.zone.invitations.invite(people: 60)
        #expect(throws: GroupError.tooManyTickets) { try ben.zone.invitations.invite(people: 5) }
        try ben.turn()
        let cleo = try ben.admit("cleo", 3, with: token)
        try ben.meet(anna)
        let dee = try ben.admit("dee", 4, with: token)
        #expect(cleo.zone.access == .member && dee.zone.access == .member)
        try anna.zone.roster.set(.member, of: ben.member)
        try anna.turn()
        try anna.meet(ben)
        #expect(anna.state.members[cleo.member] == .member && anna.state.members[dee.member] == nil)
        #expect(try ben.refusal(of: "finn", 5, with: token) != nil)
    }

    @Test("A viewer has no door, and lets nobody in")
    func doors() throws {
        let token = try invite(2)
        let vera = try anna.admit("vera", 6, with: invite(role: .viewer))
        #expect(vera.state.members[vera.member] == .viewer && !vera.zone.answersKnocks)
        #expect(try vera.refusal(of: "cleo", 3, with: token) == .notReady)
        #expect(ben.zone.answersKnocks)
        #expect(vera.zone.door.keys.session.isEmpty && !ben.zone.door.keys.session.isEmpty)
    }
}
