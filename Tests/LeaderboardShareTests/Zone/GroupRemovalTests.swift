import Gossip
import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Group zones: who is removed, and the end", .timeLimit(.minutes(30))) struct GroupRemovalTests {
    private let anna: GroupBench
    private let token: GroupToken
    private let ben: GroupBench
    private let cleo: GroupBench

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        token = try anna.zone.invitations.invite(people: 8)
        ben = try anna.admit("ben", 2, with: token)
        cleo = try ben.admit("cleo", 3, with: token)
        try anna.meet(ben)
    }

    private func remove(_ other: GroupBench) throws {
        try anna.zone.roster.remove(other.member)
        try anna.turn()
    }

    /// Somebody who came in at another's door, of whom the owner knows only what mallory signed.
    private func removedByMallory() throws -> GroupBench {
        let mallory = try anna.admit("mallory", 4, with: token)
        let dee = try ben.admit("dee", 6, with: token)
        try mallory.zone.roster.remove(device: dee.zone.lane, by: GroupBench.key("mallory"))
        try mallory.turn()
        try mallory.meet(anna)
        #expect(Set(anna.state.keys(of: dee.zone.lane).map(\.member)) == [mallory.member])
        return dee
    }

    @Test("Whoever names another's lane in a Remove keeps nobody out who was not heard of yet")
    func foreignRemoval() throws {
        let dee = try removedByMallory()
        #expect(try dee.meet(anna))
        #expect(anna.state.members[dee.member] == .member && dee.zone.access == .member)
    }

    @Test("Nor does it keep from whom somebody else let in in vain what took its invitation away")
    func foreignRemovalOfOneWhoLapsed() throws {
        let dee = try removedByMallory()
        for invitation in anna.zone.invitations.open {
            try anna.zone.invitations.revoke(invitation.record)
        }
        try anna.turn()
        #expect(try !dee.meet(anna))
        #expect(anna.state.members[dee.member] == nil && dee.zone.access == .lapsed)
    }

    @Test("A removal leaves what was there, refuses what comes later, and makes a root that the removed does not get")
    func removal() throws {
        for day in 0..<40 { try cleo.post(3, day: 19_000 + day) }
        try cleo.meet(ben)
        try ben.meet(anna)
        try remove(cleo)
        #expect(try anna.meet(ben))
        // The result is backdated, and the owner has never seen it.
        try cleo.post(1, day: 18_000)
        for bench in [ben, anna] {
            #expect(try bench.take(cleo.ledger, cleo.rows()) == [.removed])
            #expect(bench.state.dismissed == [cleo.member])
            // Existing scores are kept, and neither show nor win.
            #expect(bench.points([cleo.member]) == [0])
            #expect(try bench.zone.standings.winners(on: Day(number: 19_000), [cleo.member]).isEmpty)
            #expect(try bench.kept(cleo.member) == 40 && bench.zone.hasResults(of: cleo.member))
            #expect(try bench.zone.scoreCount == 40)
            #expect(bench.roots == 2)
        }
        // A colluder hands over everything that is written from now on.
        try ben.post(2)
        try anna.meet(ben)
        #expect(try cleo.take(anna.ledger, anna.rows()) == [.notYet])
        #expect(try cleo.zone.scoreCount == 40 && cleo.points([ben.member]) == [0])
        #expect(cleo.roots == 1)
        // Nobody talks to it either.
        try cleo.meet(ben)
        #expect(ben.closed[SessionID(7)] == .notMember)
        #expect(cleo.zone.access == .removed)
    }

    @Test("With a member go those who came by its invitations, and by theirs, if asked", arguments: [true, false])
    func withTheInvited(withInvited: Bool) throws {
        try anna.zone.roster.set(.admin, of: ben.member)
        try anna.turn()
        try anna.meet(ben)
        let dee = try ben.admit("dee", 4, with: ben.zone.invitations.invite())
        try ben.meet(anna)
        try anna.zone.roster.set(.admin, of: dee.member)
        try anna.turn()
        try dee.meet(anna)
        let finn = try dee.admit("finn", 5, with: dee.zone.invitations.invite(people: 2))
        try dee.meet(anna)
        #expect(anna.state.members.count == 5)
        // Anyone let in by somebody who has left since goes too.
        try dee.zone.roster.leave()
        try dee.turn()
        try dee.meet(anna)
        let removal = try anna.zone.roster.remove(ben.member, withInvited: withInvited)
        try anna.turn()
        #expect(removal.others == (withInvited ? [finn.member] : []))
        // Cleo came by the owner's invitation, although Ben's device let her in.
        let left = withInvited ? [anna.member, cleo.member] : [anna, cleo, finn].map(\.member)
        #expect(Set(anna.state.members.keys) == Set(left))
    }

    @Test("With a stolen device goes whom it let in, from open sessions too, until another one lets that in")
    func lapsedWhileConnected() throws {
        let phone = try ben.another(4)
        try ben.pass(.seconds(60))
        let since = ben.zone.store.wall
        let thief = try phone.another(5)
        let (own, others) = (SessionID(8), SessionID(9))
        try thief.connect(ben, on: own)
        try thief.connect(anna, on: others)
        #expect(ben.sync.peers.map(\.lane) == [thief.zone.lane] && anna.sync.peers.map(\.lane) == [thief.zone.lane])
        #expect(try ben.zone.roster.remove(device: phone.zone.lane, since: since, by: GroupBench.key("ben")))
        try ben.turn()
        #expect(ben.closed[own] == .notMember && ben.sync.peers.isEmpty)
        try ben.meet(anna)
        #expect(anna.closed[others] == .notMember && anna.sync.peers.isEmpty)
        // It hears why.
        try thief.talk(anna, on: others)
        #expect(thief.closed[others] == .peerLeft(.notMember) && thief.zone.membership.ownStanding == .lapsed)
        try thief.meet(anna)
        #expect(anna.closed[SessionID(7)] == .notMember)
        #expect(try ben.endorse(thief))
        #expect(try thief.meet(anna))
        #expect(thief.zone.access == .member)
    }

    @Test("The holder of a token that ended with a removal is told so, though some of its tickets are used")
    func endedToken() throws {
        try remove(cleo)
        for number in 11..<19 as Range<UInt8> {
            #expect(try anna.refusal(of: "late \(number)", number, with: token) == .revoked)
        }
    }

    @Test("Rows that came before the removal did stay aside, and are out of everything")
    func rowsThatWereHere() throws {
        try cleo.post(3)
        try cleo.meet(anna)
        try cleo.post(1, day: 20_001)
        try cleo.meet(ben)
        #expect(ben.points([cleo.member]) == [10])
        try remove(cleo)
        #expect(try anna.meet(ben))
        #expect(try ben.kept(cleo.member) == 1)
        #expect(try ben.zone.scoreCount == 1)
        #expect(try ben.reopened().kept(cleo.member) == 1)
    }

    @Test("A removed lane is told why, keeps that over a restart, and writes nothing more")
    func isTold() throws {
        try remove(cleo)
        try anna.meet(ben)
        try cleo.meet(ben)
        for bench in try [cleo, cleo.reopened()] {
            #expect(bench.zone.access == .removed && bench.zone.zoneAccess.isOver)
            #expect(throws: GroupError.expelled) { try bench.post(2) }
            #expect(throws: GroupError.expelled) { try bench.zone.roster.setName("Cleo", wall: GroupBench.wall) }
        }
        #expect(throws: GroupError.alreadyRemoved) { try anna.zone.roster.remove(cleo.member) }
    }

    @Test("Open invitations end with a removal: who was removed may know their tokens")
    func invitationsEnd() throws {
        try remove(cleo)
        #expect(anna.zone.invitations.open.isEmpty)
        #expect(try anna.refusal(of: "dee", 5, with: token) == .revoked)
        #expect(anna.state.members.count == 2)
    }

    @Test("A removed person comes back with another key, and finds what was before")
    func comesBack() throws {
        try ben.post(2)
        try ben.meet(anna)
        try remove(cleo)
        let next = try anna.zone.invitations.invite()
        let again = try anna.admit("cleo's next person", 6, with: next)
        #expect(again.zone.access == .member && again.roots == 2)
        #expect(again.points([ben.member]) == [5])
        // The same key does not come back, whatever the ticket.
        let other = try anna.zone.invitations.invite()
        let before = anna.ledger.count
        #expect(try anna.refusal(of: "cleo", 3, with: other) == .notValid)
        #expect(anna.ledger.count == before && anna.state.role(of: cleo.member) == .none)
    }

    @Test("A removed member keeps its own results, also those that nobody had heard of, as long as it keeps the group")
    func ownResults() throws {
        func scores(_ results: [StoredScore]) -> [UInt32?] { results.map(\.score.score) }
        try ben.post(3)
        try ben.meet(anna)
        let phone = try ben.another(5)
        try phone.post(4, day: 20_001)
        try phone.meet(ben)
        try ben.post(2, day: 19_000)
        let day = Day(number: 20_001)
        try ben.zone.post(game: GroupBench.game, day: day, score: 4, isRemoved: true, wall: GroupBench.wall)
        try ben.turn()
        try remove(ben)
        for bench in [ben, phone] {
            try bench.take(anna.ledger)
            #expect(bench.zone.access == .removed)
            try bench.pass(.seconds(8 * 86_400))
        }
        let again = try ben.reopened()
        #expect(try scores(again.zone.results(of: ben.member)) == [3])
        let own = try OwnResults(of: again.zone).all
        #expect(scores(own) == [2, 3, 4] && own.map(\.score.isRemoved) == [false, false, true])
        #expect(try scores(OwnResults(of: phone.zone).all) == [3, 4])
        #expect(try scores(anna.zone.results(of: ben.member)) == [3] && OwnResults(of: anna.zone).all.isEmpty)
    }

    @Test("Where the device that dismissed a member was stolen, all that the member had posted counts again")
    func undone() throws {
        let phone = try anna.another(5)
        try ben.post(3)
        try ben.meet(anna)
        try ben.post(2, day: 19_000)
        try phone.zone.roster.remove(ben.member)
        try phone.turn()
        try ben.take(phone.ledger)
        #expect(try ben.zone.access == .removed && ben.kept(ben.member) == 0)
        try ben.pass(.seconds(8 * 86_400))
        try anna.zone.roster.remove(device: phone.zone.lane, by: GroupBench.key("anna"))
        try anna.turn()
        try ben.take(anna.ledger)
        #expect(ben.zone.access == .member && ben.points([ben.member]) == [9])
    }

    @Test("A lane that slept through rotations finds the way to the newest root; a new one reads what was before")
    func sleepers() throws {
        let dee = try anna.admit("dee", 5, with: token)
        try dee.post(4)
        let eve = try anna.admit("eve", 6, with: token)
        try eve.meet(dee)
        try anna.meet(ben)
        try remove(eve)
        try anna.meet(ben)
        try remove(cleo)
        try ben.meet(anna)
        try ben.post(2)
        #expect(dee.roots == 1)
        #expect(try dee.meet(ben))
        #expect(dee.roots == 3)
        #expect(dee.zone.membership.root.rotate == anna.zone.membership.root.rotate)
        #expect(dee.points([ben.member]) == [5])
        let second = try anna.zone.invitations.invite()
        try anna.meet(ben)
        let finn = try ben.admit("finn", 7, with: second)
        #expect(try finn.meet(ben))
        #expect(finn.points([ben.member, dee.member]) == ben.points([ben.member, dee.member]))
        #expect(finn.roots == 3)
    }

    @Test("Two devices of the owner remove apart: both stand, and all that remain end under one root")
    func apart() throws {
        let second = try anna.another(8)
        let dee = try anna.admit("dee", 5, with: token)
        try anna.meet(second)
        try remove(cleo)
        try second.zone.roster.remove(dee.member)
        try second.turn()
        for _ in 0..<3 {
            try anna.meet(second)
            try anna.meet(ben)
        }
        #expect(second.state.dismissed.count == 2 && ben.state.members.count == 2)
        let roots = [anna, second, ben].map(\.zone.membership.root.rotate)
        #expect(Set(roots).count == 1)
        #expect(!anna.state.isRotationDue(held: anna.zone.membership.ring.held))
    }

    // MARK: The end

    @Test("A closed group keeps what was there; later rows count nowhere, and nobody comes in")
    func close() throws {
        try ben.post(2)
        try ben.meet(anna)
        try anna.zone.roster.close()
        try anna.turn()
        // Its writer has not heard of the end.
        try cleo.post(1)
        try ben.meet(anna)
        try ben.take(cleo.ledger, cleo.rows())
        for bench in [anna, ben] {
            #expect(bench.zone.access == .closed)
            #expect(bench.points([ben.member, cleo.member]) == [5, 0])
            #expect(throws: GroupError.closed) { try bench.post(3) }
        }
        #expect(try anna.refusal(of: "dee", 5, with: token) == .closed)
        #expect(try ben.refusal(of: "dee", 5, with: token) == .closed)
        // A lane that wrote in vain hears of it, and drops its rows as the others do.
        try cleo.meet(ben)
        #expect(cleo.zone.access == .closed && cleo.points([ben.member, cleo.member]) == [5, 0])
        #expect(anna.zone.catalogue.games.map(\.name) == ["Wordle"])
        #expect(try ben.reopened().points([ben.member, cleo.member]) == [5, 0])
    }

    @Test("Another device of the owner that had not heard of the close adds what it had seen")
    func closedTwice() throws {
        let second = try anna.another(8)
        try cleo.post(1)
        try cleo.meet(second)
        try anna.zone.roster.close()
        try anna.turn()
        try second.zone.roster.close()
        try second.turn()
        try anna.meet(second)
        try anna.meet(ben)
        try cleo.meet(ben)
        for bench in [anna, second, ben, cleo] { #expect(bench.points([cleo.member]) == [6]) }
    }
}
