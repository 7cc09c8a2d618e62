import Gossip
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
        token = try anna.zone.invite()
        ben = try anna.admit("ben", 2, with: token)
        // Any member admits with a token of any number of uses.
        cleo = try ben.admit("cleo", 3, with: token)
        try anna.meet(ben)
    }

    private var all: [MemberID] { [anna.member, ben.member, cleo.member] }

    @Test("Members admitted by token hold the same set, and see the same group and scores")
    func membersAgree() throws {
        try anna.post(3)
        try ben.post(2)
        try cleo.post(nil)
        #expect(try anna.meet(ben))
        #expect(try ben.meet(cleo))
        #expect(try anna.meet(cleo))
        for bench in [anna, ben, cleo] {
            #expect(bench.state.members == [all[0]: .owner, all[1]: .member, all[2]: .member])
            #expect(bench.state.title?.title == "Family")
            #expect(bench.points(all) == [4, 5, 0])
            #expect(try bench.zone.voidScores == 0)
        }
    }

    @Test("A correction replaces what was posted before, on all devices of a member")
    func corrections() throws {
        try ben.post(5)
        try ben.meet(anna)
        let second = try GroupBench("ben", 4, ben.zone.welcome)
        try second.meet(anna)
        try second.post(4)
        #expect(try second.zone.score(of: ben.member, day: Day(number: 20_000), game: GroupBench.game)?.revision == 2)
        try anna.meet(second)
        try anna.meet(ben)
        for bench in [anna, ben, second] { #expect(bench.points([ben.member]) == [3]) }
    }

    @Test("Records may come in any order: what counts is the same")
    func anyOrder() throws {
        try ben.post(2)
        try ben.meet(anna)
        let late = try GroupBench("dee", 5, anna.zone.welcome)
        for record in try anna.records().reversed() { try late.zone.store.put(record) }
        for wanted in try late.zone.store.wanted(limit: 100) {
            let blob = try anna.zone.store.blob(
                of: wanted.record.lane, seq: wanted.record.seq, hashPrefix: wanted.blob.hash.shortPrefix)
            _ = try late.zone.store.put(blob: try #require(blob), for: wanted)
        }
        try late.turn()
        #expect(late.points(all) == anna.points(all))
        #expect(late.state.members == anna.state.members)
    }

    @Test("A removal leaves what it names, voids all else, and starts an epoch that the removed cannot read")
    func removal() throws {
        // More than a record holds: the names travel as a blob.
        for day in 0..<40 { try cleo.post(3, day: 19_000 + day) }
        try cleo.meet(ben)
        try ben.meet(anna)
        try anna.zone.remove(cleo.member)
        try anna.turn()
        #expect(try anna.meet(ben))
        // Backdated, and never seen by the owner before.
        try cleo.post(1, day: 18_000)
        for record in try cleo.records() {
            try ben.zone.store.put(record)
            try anna.zone.store.put(record)
        }
        for bench in [anna, ben] {
            try bench.turn()
            #expect(bench.state.removed == [cleo.member])
            #expect(bench.points([cleo.member]) == [160])
            #expect(try bench.zone.voidScores == 1)
            #expect(bench.zone.ring.epochs.count == 2)
        }
        // A colluder hands over all that is written from now on.
        let before = try cleo.zone.scoreCount
        try ben.post(2)
        try anna.meet(ben)
        for record in try anna.records() { try cleo.zone.store.put(record) }
        try cleo.turn()
        #expect(try cleo.zone.scoreCount == before)
        #expect(cleo.zone.ring.epochs.count == 1)
        #expect(cleo.zone.lockedCount > 0)
        // Nor does anybody talk to it.
        try cleo.meet(ben)
        #expect(ben.closed[SessionID(7)] == .notMember)
        #expect(cleo.zone.access == .removed)
    }

    @Test("Who slept through rotations finds the way to the newest root; who joins reads what was before")
    func sleepers() throws {
        let dee = try anna.admit("dee", 5, with: token)
        try dee.post(4)
        let eve = try anna.admit("eve", 6, with: token)
        try eve.meet(dee)
        try anna.meet(ben)
        try anna.zone.remove(eve.member)
        try anna.turn()
        try anna.meet(ben)
        try anna.zone.remove(cleo.member)
        try anna.turn()
        try ben.meet(anna)
        try ben.post(2)
        #expect(dee.zone.ring.epochs.count == 1)
        try dee.meet(ben)
        #expect(try dee.meet(ben))
        #expect(dee.zone.ring.epochs.count == 3)
        #expect(dee.zone.ring.current.record == anna.zone.ring.current.record)
        #expect(dee.points([ben.member]) == [5])
        let second = try anna.zone.invite()
        try anna.meet(ben)
        let finn = try ben.admit("finn", 7, with: second)
        try finn.meet(ben)
        #expect(finn.points([ben.member, dee.member]) == ben.points([ben.member, dee.member]))
        #expect(finn.zone.lockedCount == 0)
    }

    @Test("After a restart all is as it was, the roots of later epochs too")
    func restart() throws {
        try ben.post(3)
        try ben.meet(anna)
        try anna.zone.remove(cleo.member)
        try anna.turn()
        try anna.meet(ben)
        let again = try ben.reopened("ben")
        #expect(again.points(all) == anna.points(all))
        #expect(again.zone.ring.current.record == anna.zone.ring.current.record)
        #expect(again.zone.lane == ben.zone.lane)
        #expect(try again.meet(anna))
    }

    @Test("A fresh start certifies the new lane; nothing posted before is lost")
    func freshStart() throws {
        try ben.post(3)
        try ben.zone.store.startAfresh(.clone)
        try ben.turn()
        try ben.post(2, day: 20_001)
        #expect(try ben.meet(anna))
        #expect(anna.points([ben.member]) == [9])
        #expect(anna.state.devices(of: ben.member).count == 2)
    }
}
