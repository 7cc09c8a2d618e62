import ChatTestKit
import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

/// A member signs arbitrary claims about others' lanes, Enters and invitations: nobody concludes anything from them.
@Suite("Group zones: what a member signs about the others", .timeLimit(.minutes(30))) struct GroupClaimsTests {
    private let anna: GroupBench
    private let token: GroupToken
    private let ben: GroupBench
    private let mallory: GroupBench

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        token = try anna.zone.invitations.invite(people: 8)
        ben = try anna.admit("ben", 2, with: token)
        mallory = try anna.admit("mallory", 4, with: token)
        try ben.meet(anna)
    }

    private func record(_ act: LedgerAct, by key: Ed25519.KeyPair, after prev: RecordHash = .zero) -> LedgerRecord {
        LedgerRecord(zone: anna.zone.zone, signer: key.publicKey, prev: prev, act: act, sign: key.sign)
    }

    /// Removes lanes for Mallory, signed by its person.
    private func remove(_ lanes: [LaneID], children: [RecordHash] = []) -> LedgerRecord {
        record(
            .remove(Remove(firstLane: mallory.zone.keys.firstLane, lanes: lanes, heads: [], children: children)),
            by: GroupBench.key("mallory"))
    }

    private func lane(_ number: Int) -> LaneID { LaneID(Blake2b.hash32(Array("lane \(number)".utf8))) }

    /// Lets Mallory answer a knock.
    private func refuse(_ attempt: JoinAttempt, _ reason: JoinRefusal, showing shown: [LedgerRecord]) throws {
        let meeting = GroupBench.meeting()
        _ = attempt.opened(meeting)
        let signed = JoinMessage.answerMessage(meeting.handshakeHash, .refused, reason: reason.rawValue)
        let refusal = JoinMessage.Refusal(
            reason: reason, lane: mallory.zone.lane, signature: mallory.zone.store.device.signing.sign(signed),
            genesis: mallory.zone.keys.genesis.encoded, shown: shown.map(\.encoded))
        _ = try attempt.received(JoinMessage.refused(refusal).encoded, in: meeting)
    }

    private func isWaiting(_ attempt: JoinAttempt) -> Bool {
        if case .waiting(.some) = attempt.state { true } else { false }
    }

    @Test("An Enter of one's own lane for the owner, which nobody let in, gives no refusal the owner's word")
    func entersForTheOwner() throws {
        let device = mallory.zone.store.device
        let message = Enter.endorsed(
            lane: device.lane, member: anna.member, isReplica: false, sealKey: device.sealing.publicKey,
            succeeds: .zero, zone: anna.zone.zone)
        let enter = Enter(
            person: GroupBench.person("anna"), firstLane: anna.zone.keys.firstLane, sealKey: device.sealing.publicKey,
            entrance: .lane(device.lane, device.signing.sign(message)))
        let claim = record(.enter(enter), by: device.signing)
        for (number, reason) in zip(UInt8(20)..., [.notValid, .usedUp, .closed, .expired] as [JoinRefusal]) {
            let attempt = GroupBench.attempt("dee", number, with: token)
            try refuse(attempt, reason, showing: mallory.state.path(of: mallory.key) + [claim])
            #expect(isWaiting(attempt), "\(reason)")
        }
    }

    @Test("A Remove that names another's Enter as a child stands in no path of that one's")
    func foreignChild() throws {
        let second = try ben.another(12)
        let third = try second.another(13)
        try third.meet(ben)
        try ben.zone.roster.remove(device: second.zone.lane, by: GroupBench.key("ben"))
        try ben.turn()
        try third.meet(ben)
        #expect(third.state.standing(of: third.key) == .active)
        let child = try #require(third.state.entrance(of: third.key))
        let lowest = try #require(third.state.removals.keys.min())
        let foreign = try #require(
            (0..<4_096).lazy.map { remove([lane($0)], children: [child]) }.first { $0.hash < lowest })
        try third.take([foreign] + mallory.ledger)
        #expect(third.state.set.contains(foreign.hash))
        #expect(try third.meet(anna))
        #expect(anna.state.standing(of: third.key) == .active)
    }

    @Test("Many Removes that name others' lanes keep from nobody what took its invitation away")
    func manyForeignRemoves() throws {
        let dee = try ben.admit("dee", 6, with: token)
        try anna.take((0..<80).map { remove([anna.zone.lane, lane($0)].sorted()) })
        for invitation in anna.zone.invitations.open { try anna.zone.invitations.revoke(invitation.record) }
        try anna.turn()
        #expect(anna.state.removals.count == 80)
        #expect(try !dee.meet(anna))
        #expect(dee.zone.access == .lapsed)
    }

    @Test(
        "An admin's Revoke of another's invitation hides nothing from whom that one let in", arguments: [false, true])
    func foreignRevoke(isRevoked: Bool) throws {
        for other in [ben, mallory] { try anna.zone.roster.set(.admin, of: other.member) }
        try anna.turn()
        for other in [ben, mallory] { try other.meet(anna) }
        let bens = try ben.zone.invitations.invite(people: 3)
        try ben.turn()
        try ben.meet(anna)
        try mallory.meet(anna)
        let dee = try ben.admit("dee", 6, with: bens)
        if isRevoked {
            try mallory.zone.context.write(.revoke(Revoke(invite: bens.invite, stays: [])))
            try mallory.turn()
            try mallory.meet(anna)
        }
        try anna.zone.roster.set(.member, of: ben.member)
        try anna.turn()
        try dee.meet(anna)
        #expect(dee.zone.access == .lapsed)
    }

    @Test("An outdated Word on an admin, or another admin's Revoke, ends no search for whom that admin invited")
    func outdatedWord() throws {
        try anna.zone.roster.set(.admin, of: ben.member)
        try anna.turn()
        try ben.meet(anna)
        let bens = try ben.zone.invitations.invite(people: 3)
        try ben.turn()
        try ben.meet(anna)
        try mallory.meet(anna)
        let shown = mallory.ledger.filter { record in
            if case .word(let word) = record.act { word.role != .admin } else { true }
        }
        let attempt = GroupBench.attempt("dee", 6, with: bens)
        try refuse(attempt, .revoked, showing: shown)
        #expect(isWaiting(attempt))
        // As an admin, Mallory shows everything except what made Ben one.
        try anna.zone.roster.set(.admin, of: mallory.member)
        try anna.turn()
        try mallory.meet(anna)
        try mallory.zone.context.write(.revoke(Revoke(invite: bens.invite, stays: [])))
        try mallory.turn()
        let rest = mallory.ledger.filter { record in
            if case .word(let word) = record.act { word.member != ben.member } else { true }
        }
        let other = GroupBench.attempt("dee", 7, with: bens)
        try refuse(other, .revoked, showing: rest)
        #expect(isWaiting(other))
    }

    @Test("Who took a ticket shows it by the Enter that did, not by one with another key")
    func claimWithAnotherKey() throws {
        // Both hold the same token, and come to doors that have not met.
        let shared = try anna.zone.invitations.invite()
        try anna.turn()
        let cleo = try anna.admit("cleo", 3, with: token)
        try ben.meet(anna)
        let dee = try ben.admit("dee", 6, with: shared)
        let ticket = TicketID(invite: shared.invite, index: 0)
        let lot = LedgerBounds().lot
        let number = try #require(
            (30..<90 as Range<UInt8>).first { number in
                lot(ticket, GroupBench.member("eve", number)) < lot(ticket, dee.member)
            })
        let eve = try cleo.admit("eve", number, with: shared)
        let device = eve.zone.store.device
        let entered = try #require(eve.state.entrance(of: eve.key))
        // The claim comes first, and also has the lower hash.
        let claim = try #require(
            (0..<64).lazy.map { number in
                let key = GroupBench.key("key \(number)")
                let proof = key.sign(Enter.claimed(ticket: ticket, member: eve.member, zone: anna.zone.zone))
                let enter = Enter(
                    person: GroupBench.person("eve"), firstLane: device.lane, sealKey: device.sealing.publicKey,
                    entrance: .ticket(ticket, key: key.publicKey, proof: proof))
                return record(.enter(enter), by: device.signing)
            }.first { $0.hash < entered })
        // This member heard of the claim first.
        let finn = try GroupBench(anna.welcome("finn", 8, with: token), 8)
        try finn.take(anna.ledger)
        try finn.take([claim] + eve.ledger)
        #expect(finn.state.members[eve.member] == .member)
        #expect(try !dee.meet(finn))
        #expect(dee.zone.access == .lapsed)
    }

    @Test("Of a lane that was written twice those are named who entered with it, not who removed it")
    func foreignFork() throws {
        let before = try ben.database.snapshot()
        try ben.zone.roster.setName("Ben", wall: GroupBench.wall)
        try ben.turn()
        let copy = try ben.reopened(before)
        try copy.zone.roster.setName("Bob", wall: GroupBench.wall)
        try copy.turn()
        try anna.take([remove([ben.zone.lane])] + mallory.ledger)
        for bench in [ben, copy] { try anna.take([], bench.rows().filter { $0.lane == ben.zone.lane }) }
        #expect(anna.zone.equivocations.map(\.lane) == [ben.zone.lane])
        #expect(anna.zone.equivocations.map(\.members) == [[ben.member]])
    }

    @Test("However often an admin removed the device that invited somebody, that one hears what took it away")
    func manyOwnRemoves() throws {
        try anna.zone.roster.set(.admin, of: mallory.member)
        try anna.turn()
        for bench in [mallory, ben] { try bench.meet(anna) }
        let theirs = try mallory.zone.invitations.invite()
        try mallory.turn()
        try mallory.meet(ben)
        let dee = try ben.admit("dee", 6, with: theirs)
        let second = try mallory.another(14)
        try second.meet(anna)
        try anna.take((0..<80).map { remove([mallory.zone.lane, lane($0)].sorted()) })
        #expect(anna.state.standing(of: mallory.key) == .removed)
        try dee.meet(anna)
        #expect(dee.zone.access == .lapsed)
        // The device itself does not miss it either.
        try mallory.meet(anna)
        #expect(mallory.zone.membership.isOver)
    }

    @Test("However often an admin revoked its invitation, who came by it and who comes by it hear that")
    func manyRevokes() throws {
        try anna.zone.roster.set(.admin, of: mallory.member)
        try anna.turn()
        for bench in [mallory, ben] { try bench.meet(anna) }
        let theirs = try mallory.zone.invitations.invite(people: 2)
        try mallory.turn()
        try mallory.meet(ben)
        let dee = try ben.admit("dee", 6, with: theirs)
        for _ in 0..<80 { try mallory.zone.context.write(.revoke(Revoke(invite: theirs.invite, stays: []))) }
        try mallory.turn()
        try mallory.meet(anna)
        try dee.meet(anna)
        #expect(dee.zone.access == .lapsed)
        let attempt = GroupBench.attempt("eve", 7, with: theirs)
        guard case .refused(.revoked) = try anna.open(to: attempt) else {
            Issue.record("the search goes on: \(attempt.state)")
            return
        }
    }

    @Test("Who claims all tickets of a token keeps nobody out whom a ticket lets in, and nobody at all once confirmed")
    func allTickets() throws {
        try anna.zone.roster.set(.admin, of: ben.member)
        try anna.turn()
        try ben.meet(anna)
        let shared = try ben.zone.invitations.invite(people: 8)
        try ben.turn()
        let dee = try ben.admit("dee", 6, with: shared)
        let device = dee.zone.store.device
        let claims = try shared.tickets.map { index in
            let ticket = TicketID(invite: shared.invite, index: UInt8(index))
            let key = try #require(shared.key(of: index))
            let enter = Enter(
                person: GroupBench.person("dee"), firstLane: device.lane, sealKey: device.sealing.publicKey,
                entrance: .ticket(
                    ticket, key: key.publicKey,
                    proof: key.sign(Enter.claimed(ticket: ticket, member: dee.member, zone: anna.zone.zone))))
            return record(.enter(enter), by: device.signing)
        }
        try ben.take(claims)
        // This joiner comes after Dee at the first ticket that is shown, but not at all of them.
        let lot = LedgerBounds().lot
        func wins(_ attempt: JoinAttempt) -> [Bool] {
            attempt.enters.compactMap(\.ticket).map { lot($0.0, attempt.member) < lot($0.0, dee.member) }
        }
        let attempt = try #require(
            (30..<90 as Range<UInt8>).lazy.map { GroupBench.attempt("eve", $0, with: shared) }
                .first { wins($0).first == false && wins($0).contains(true) })
        guard case .welcomed = try ben.open(to: attempt) else {
            Issue.record("not let in: \(attempt.state)")
            return
        }
        try ben.meet(anna)
        #expect(anna.state.isConfirmed(dee.member) && anna.state.isConfirmed(attempt.member))
        for number in 91..<97 as Range<UInt8> { _ = try anna.welcome("finn \(number)", number, with: shared) }
        #expect(anna.state.members.count == 11)
    }
}
