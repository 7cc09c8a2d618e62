import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Group zones: where a group goes on", .timeLimit(.minutes(30))) struct GroupSuccessorTests {
    private let anna: GroupBench
    private let ben: GroupBench
    private let cleo: GroupBench

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        let token = try anna.zone.invitations.invite(people: 2)
        ben = try anna.admit("ben", 2, with: token)
        cleo = try anna.admit("cleo", 3, with: token)
        try ben.meet(anna)
    }

    /// Ben founds another group and offers it to everyone.
    private func offer() throws -> (next: GroupBench, choice: Close.Successor) {
        let next = try GroupBench(founder: "ben's next person", 12)
        let tokens = [try next.zone.invitations.invite(people: ben.zone.successor.others.count)]
        try ben.zone.successor.offer(tokens, to: ben.zone.successor.others)
        try ben.turn()
        return (next, Close.Successor(group: next.zone.zone, founder: ben.member))
    }

    @Test("Each member finds a ticket of its own, and comes in by it; nobody can use another's")
    func followed() throws {
        let (next, choice) = try offer()
        try ben.meet(anna)
        try anna.meet(cleo)
        #expect(anna.zone.successor.offers == [choice] && cleo.zone.successor.offers == [choice])
        #expect(cleo.zone.successor.chosen == nil)
        try anna.zone.roster.close(with: choice)
        try anna.turn()
        try anna.meet(cleo)
        #expect(cleo.zone.access == .closed && cleo.zone.successor.chosen == choice)
        let theirs = try [anna, cleo].map { try #require($0.zone.successor.token(for: choice)) }
        #expect(theirs.map(\.tickets.count) == [1, 1] && theirs[0].tickets != theirs[1].tickets)
        for (number, token) in theirs.enumerated() {
            let bench = try next.admit("follower \(number)", UInt8(20 + number), with: token)
            #expect(bench.zone.access == .member)
        }
        #expect(next.state.members.count == 3)
        #expect(ben.zone.successor.token(for: choice) == nil)
        // A founder's word on another group is not the offer that was chosen.
        #expect(cleo.zone.successor.token(for: .init(group: next.zone.zone, founder: anna.member)) == nil)
    }

    @Test("Another device of a member finds the ticket too, once it was offered one")
    func devices() throws {
        let phone = try cleo.another(4)
        try phone.meet(anna)
        try ben.meet(anna)
        let (_, choice) = try offer()
        try ben.meet(phone)
        try ben.meet(cleo)
        let tokens = try [phone, cleo].map { try #require($0.zone.successor.token(for: choice)) }
        #expect(tokens[0].text == tokens[1].text)
        #expect(Set([phone, cleo].map(\.zone.successor.rank)) == [0, 1])
    }

    @Test("The founder offers tickets also after the close; nobody else does")
    func late() throws {
        let next = try GroupBench(founder: "ben's next person", 12)
        let choice = Close.Successor(group: next.zone.zone, founder: ben.member)
        try anna.zone.roster.close(with: choice)
        try anna.turn()
        let cleos = Offer(group: next.zone.zone, tickets: [])
        try cleo.zone.context.write(.offer(cleos))
        try cleo.turn()
        let token = try next.zone.invitations.invite(people: 2)
        try ben.zone.successor.offer([token], to: ben.zone.successor.others)
        try ben.turn()
        try ben.meet(anna)
        try cleo.meet(anna)
        #expect(anna.zone.successor.offers == [choice])
        #expect(anna.zone.successor.token(for: choice) != nil)
    }

    @Test("Whom the founder had not heard of when it offered gets a ticket after the close, from that founder alone")
    func missed() throws {
        let (next, choice) = try offer()
        try ben.meet(anna)
        let dora = try anna.admit("dora", 5, with: anna.zone.invitations.invite())
        try anna.turn()
        #expect(ben.zone.successor.missed(by: choice.group).isEmpty)
        try anna.zone.roster.close(with: choice)
        try anna.turn()
        for other in [ben, cleo, dora] { try anna.meet(other) }
        #expect(dora.zone.successor.chosen == choice && dora.zone.successor.token(for: choice) == nil)

        #expect(ben.zone.access == .closed && ben.zone.successor.missed(by: choice.group) == [dora.member])
        let token = try next.zone.invitations.invite()
        #expect(throws: GroupError.closed) { try cleo.zone.successor.offer([token], to: [dora.member]) }
        let third = try GroupBench(founder: "a third group", 13).zone.invitations.invite()
        #expect(throws: GroupError.closed) { try ben.zone.successor.offer([third], to: [dora.member]) }
        try ben.zone.successor.offer([token], to: [dora.member])
        try ben.turn()
        #expect(ben.zone.successor.missed(by: choice.group).isEmpty)
        try ben.meet(dora)
        let hers = try #require(dora.zone.successor.token(for: choice))
        let bench = try next.admit("dora's next person", 25, with: hers)
        #expect(bench.zone.access == .member)
    }

    @Test("Too few tickets, a ticket of this group, and none: nothing is written")
    func refused() throws {
        let next = try GroupBench(founder: "ben's next person", 12)
        let before = ben.ledger.count
        let few = try next.zone.invitations.invite()
        let own = try anna.zone.invitations.invite(people: 2)
        for tokens in [[few], [own], []] {
            #expect(throws: GroupError.notValid) { try ben.zone.successor.offer(tokens, to: ben.zone.successor.others) }
        }
        #expect(ben.ledger.count == before)
        #expect(!cleo.zone.successor.others.contains(cleo.member) && cleo.zone.successor.others.count == 2)
    }

    @Test("An offered ticket opens for whom it is sealed, and for that group only")
    func sealed() throws {
        var random: any RandomSource = SeededRandom(seed: 5)
        let token = try anna.zone.invitations.invite()
        let ticket = try #require(OfferedTicket(token, ticket: 0))
        let pair = X25519.KeyPair(secret: GroupBench.seed("recipient"))
        let sealed = try #require(
            ticket.sealed(to: pair.publicKey, member: ben.member, group: token.group, random: &random))
        #expect(sealed.count <= Ledger.Limits.sealedTicketBytes)
        func opened(_ bytes: [UInt8], _ pair: X25519.KeyPair, _ member: MemberID, _ group: ZoneID) -> GroupToken? {
            OfferedTicket(sealed: bytes, with: pair, member: member, group: group)?.token(of: group)
        }
        let read = try #require(opened(sealed, pair, ben.member, token.group))
        #expect(read.key(of: 0)?.publicKey == token.key(of: 0)?.publicKey && read.invite == token.invite)
        #expect(read.tickets == [0] && read.door == token.door && read.group == token.group)
        let other = X25519.KeyPair(secret: GroupBench.seed("other"))
        #expect(opened(sealed, other, ben.member, token.group) == nil)
        #expect(opened(sealed, pair, cleo.member, token.group) == nil)
        #expect(opened(sealed, pair, ben.member, ZoneID(.zero)) == nil)
        for length in 0..<sealed.count {
            #expect(opened(Array(sealed.prefix(length)), pair, ben.member, token.group) == nil)
        }
        #expect(OfferedTicket(token, ticket: 5) == nil)
    }
}
