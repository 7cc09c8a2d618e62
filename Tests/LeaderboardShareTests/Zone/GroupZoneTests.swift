import Gossip
import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Group zones", .timeLimit(.minutes(30))) struct GroupZoneTests {
    private let anna: GroupBench
    private let token: GroupToken
    private let ben: GroupBench
    private let cleo: GroupBench

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        token = try anna.zone.invitations.invite(people: 4)
        ben = try anna.admit("ben", 2, with: token)
        // Any member can let others in.
        cleo = try ben.admit("cleo", 3, with: token)
        try anna.meet(ben)
    }

    private var all: [MemberID] { [anna.member, ben.member, cleo.member] }

    @Test("Members who came by one token hold the same set, and see the same group and scores")
    func membersAgree() throws {
        try anna.post(3)
        try ben.post(2)
        try cleo.post(nil)
        #expect(try anna.meet(ben))
        #expect(try ben.meet(cleo))
        #expect(try anna.meet(cleo))
        for bench in [anna, ben, cleo] {
            #expect(bench.state.members == [all[0]: .owner, all[1]: .member, all[2]: .member])
            #expect(bench.zone.roster.title?.title == "Family")
            #expect(bench.points(all) == [4, 5, 0])
            #expect(try bench.zone.voidScores == 0)
            #expect(bench.zone.access == .member)
        }
    }

    @Test("Each row names the one before it, and the first its lane's Enter")
    func chains() throws {
        for day in 0..<3 { try ben.post(2, day: 19_000 + day) }
        let rows = try ben.rows().filter { $0.lane == ben.zone.lane }
        #expect(rows.count == 3)
        let before = [ben.state.entrance(of: ben.key)] + rows.dropLast().map(\.name)
        #expect(rows.map(\.header.prev) == before)
    }

    @Test("A correction replaces what was posted before, on all devices of a member")
    func corrections() throws {
        try ben.post(5)
        try ben.meet(anna)
        let second = try ben.another(4)
        try second.meet(anna)
        try second.post(4)
        #expect(try second.zone.score(of: ben.member, day: Day(number: 20_000), game: GroupBench.game)?.revision == 2)
        try anna.meet(second)
        try anna.meet(ben)
        for bench in [anna, ben, second] { #expect(bench.points([ben.member]) == [3]) }
    }

    @Test("Control records may come in any order, and rows too: what counts is the same")
    func anyOrder() throws {
        for day in 0..<5 { try ben.post(2, day: 19_990 + day) }
        try ben.meet(anna)
        let late = try GroupBench(anna.welcome("dee", 5, with: token), 5)
        for record in anna.ledger.reversed() { try late.take([record]) }
        #expect(try late.take([], anna.rows().reversed()).isEmpty)
        #expect(late.points(all) == anna.points(all))
        #expect(late.state.members == anna.state.members)
        #expect(late.zone.store.recordCount == anna.zone.store.recordCount)
        #expect(late.zone.membership.records.names == anna.zone.membership.records.names)
    }

    @Test("A former member is shown with the role that it had")
    func formerRoles() throws {
        try anna.zone.roster.set(.admin, of: cleo.member)
        try anna.zone.roster.remove(cleo.member)
        let former = anna.zone.roster.members(withRemoved: true).first { $0.id == cleo.member }
        #expect(former?.state == .removed && former?.role == .admin)
    }

    @Test("After a restart all is as it was, the roots of later rotations too")
    func restart() throws {
        try ben.post(3)
        try ben.meet(anna)
        try anna.zone.roster.remove(cleo.member)
        try anna.turn()
        try anna.meet(ben)
        #expect(ben.roots == 2)
        let again = try ben.reopened()
        #expect(again.points(all) == anna.points(all))
        #expect(again.zone.membership.root.rotate == anna.zone.membership.root.rotate)
        #expect(again.zone.lane == ben.zone.lane && again.zone.access == .member)
        #expect(again.zone.roster.members(withRemoved: true).map(\.state).filter { $0 == .removed }.count == 1)
        #expect(try again.meet(anna))
    }

    @Test("A fresh start enters the new lane by the old one; nothing posted before is lost, and it is one device")
    func freshStart() throws {
        try ben.post(3)
        let old = ben.zone.lane
        try ben.zone.store.startAfresh(.clone)
        try ben.turn()
        #expect(ben.zone.lane != old && ben.zone.access == .member)
        try ben.post(2, day: 20_001)
        #expect(try ben.meet(anna))
        #expect(anna.points([ben.member]) == [9])
        #expect(anna.state.lanes(of: ben.member).count == 2)
        #expect(anna.zone.roster.members().first { $0.id == ben.member }?.devices == 1)
        #expect(anna.state.standing(of: LaneKey(old, of: ben.member)) == .succeeded)
        #expect(try ben.reopened().meet(anna))
    }

    @Test("A device whose lane a copy of it has left starts afresh too")
    func succeeded() throws {
        let copy = try ben.reopened()
        try ben.zone.store.startAfresh(.clone)
        try ben.turn()
        try ben.meet(anna)
        let old = copy.zone.lane
        try copy.meet(anna)
        #expect(copy.zone.lane != old)
        try copy.post(3)
        try copy.meet(anna)
        #expect(copy.zone.membership.ownStanding == .active && anna.points([ben.member]) == [4])
    }

    @Test("What a close names comes back: to one who refused it, and from one who had dropped it to those it talks to")
    func namedAgain() throws {
        try anna.zone.roster.set(.admin, of: ben.member)
        try anna.turn()
        try anna.meet(ben)
        let (phone, tablet) = (try anna.another(5), try ben.another(6))
        try phone.meet(anna)
        let token = try tablet.zone.invitations.invite()
        try tablet.turn()
        for bench in [phone, cleo] { try bench.meet(tablet) }
        // Ben has not seen the invitation, and the owner's phone does not hear of the removal.
        try ben.zone.roster.remove(device: tablet.zone.lane, by: GroupBench.key("ben"))
        try ben.turn()
        for bench in [anna, cleo] { try bench.meet(ben) }
        let invite = try #require(phone.ledger.first { $0.hash == token.invite })
        try anna.take([invite])
        for bench in [anna, cleo] { #expect(!bench.ledger.contains(invite)) }
        try phone.zone.roster.close()
        try phone.turn()
        let before = cleo.zone.membership.records.arrivals.count
        let news = phone.ledger.filter { !cleo.ledger.contains($0) && $0 != invite }
        for bench in [anna, cleo] {
            try bench.take(news)
            #expect(bench.ledger.contains(invite))
        }
        #expect(cleo.zone.membership.records.arrivals.dropFirst(before).contains(invite.hash))
    }

    @Test("A lane that was written twice forks: what both wrote counts, and both go on in lanes of their own")
    func fork() throws {
        try ben.post(3)
        try ben.meet(anna)
        let copy = try ben.reopened()
        try ben.post(2, day: 19_000)
        try copy.post(4, day: 19_001)
        try copy.meet(anna)
        try ben.meet(anna)
        try anna.meet(copy)
        try copy.meet(ben)
        for bench in [ben, copy] {
            try bench.turn()
            try bench.post(1, day: bench === ben ? 19_002 : 19_003)
            try bench.meet(anna)
        }
        #expect(ben.zone.lane != copy.zone.lane)
        #expect(anna.zone.equivocations.map(\.members) == [[ben.member]])
        #expect(anna.points([ben.member]) == [4 + 5 + 3 + 6 + 6])
        try anna.meet(ben)
        #expect(ben.points([ben.member]) == [24])
    }
}
