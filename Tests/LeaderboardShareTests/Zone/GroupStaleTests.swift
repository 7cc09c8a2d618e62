import ChatTestKit
import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

/// Decisions that rest on facts are made again when the facts change.
@Suite("Group zones: decisions are made again when their facts change", .timeLimit(.minutes(30)))
struct GroupStaleTests {
    private let anna: GroupBench
    private let token: GroupToken
    private let ben: GroupBench
    private let today = Int(Day(GroupBench.wall).number)

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        token = try anna.zone.invitations.invite(people: 6)
        ben = try anna.admit("ben", 2, with: token)
    }

    @Test("Results of a suspended member count again after a start in the meantime, though nobody looked then")
    func suspendedOverAStart() throws {
        try ben.post(2)
        try ben.meet(anna)
        #expect(anna.points([ben.member]) == [5])
        try anna.zone.tidy()
        try anna.zone.roster.suspend(ben.member)
        try anna.turn()
        #expect(anna.points([ben.member]) == [0])
        try anna.zone.tidy()
        let again = try anna.reopened()
        try again.zone.roster.unsuspend(ben.member)
        try again.turn()
        #expect(again.points([ben.member]) == [5])
        #expect(try again.reopened().points([ben.member]) == [5])
    }

    @Test("A recent result of a removed device is told when the chain to its last row is whole")
    func postedOnceTheChainIsWhole() throws {
        let posts: [(score: UInt32, day: Int)] = [(2, today), (3, 19_000), (3, 19_001)]
        let (rows, others) = try ben.removedDevice(4, named: "ben", after: posts, tell: anna)
        let cell = PostedScore(member: ben.member, game: GroupBench.game, day: Day(number: today))
        for (number, order) in zip(UInt8(5)..., [[2, 1, 0], [0, 1, 2], [0, 2, 1], [1, 0, 2]]) {
            let late = try GroupBench(anna.welcome("dee \(number)", number, with: token), number)
            try late.take(anna.ledger, others)
            var told: [PostedScore] = []
            for row in order {
                try late.take([], [rows[row]])
                told += late.zone.takePosted()
            }
            #expect(told == [cell], "\(order)")
        }
    }

    @Test("What came in time stays so when the tables are made again, and when rows come back")
    func arrivalsAreKept() throws {
        try ben.post(3, day: today)
        let cleo = try anna.admit("cleo", 3, with: token)
        for day in 0..<3 { try cleo.post(3, day: today - day) }
        try cleo.meet(anna)
        try ben.meet(anna)
        func arrivals() throws -> [ScoreArrival] { try anna.zone.results(of: ben.member).map(\.arrival) }
        #expect(try arrivals() == [.inTime])
        try anna.pass(.seconds(20 * 86_400))
        #expect(try arrivals() == [.inTime])
        #expect(try anna.reopened().zone.results(of: ben.member).map(\.arrival) == [.inTime])
        // Cleo's rows go.
        try anna.zone.roster.remove(cleo.member, keepsRows: false)
        try anna.turn()
        #expect(try arrivals() == [.inTime])
        #expect(try anna.zone.standings.rows([ben.member], period: .all, today: Day(number: today)).map(\.late) == [0])
    }

    @Test("Of two results at one place of a forked lane the same one counts in either order", arguments: [false, true])
    func forked(isReversed: Bool) throws {
        let before = try ben.database.snapshot()
        try ben.post(2)
        let copy = try ben.reopened(before)
        let other = try DailyScore(
            member: ben.member, day: Day(number: 20_000), game: GroupBench.game, gameName: "Wordle", score: 5,
            updatedAt: GroupBench.wall, revision: 2)
        try copy.force(.score(other))
        #expect(copy.zone.lane == ben.zone.lane)
        var rows = try [ben, copy].map { bench in try #require(try bench.rows().last { $0.lane == ben.zone.lane }) }
        #expect(rows[0].seq == rows[1].seq)
        if isReversed { rows.reverse() }
        for row in rows {
            try anna.take([], [row])
            _ = anna.points([ben.member])
        }
        #expect(anna.points([ben.member]) == [2])
        #expect(try anna.zone.results(of: ben.member).map(\.score.score) == [5])
        let fresh = try anna.reopened()
        #expect(fresh.points([ben.member]) == [2])
    }
}
