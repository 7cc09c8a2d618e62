import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("How results come: in time, late, or imported", .timeLimit(.minutes(30))) struct ScoreArrivalTests {
    private static let day: Int64 = 86_400_000

    /// A moment some days after the group was founded.
    private func wall(_ days: Int64) -> WallTime {
        WallTime(milliseconds: GroupBench.wall.milliseconds + days * Self.day)
    }

    private func begin(_ days: Int64, _ benches: GroupBench...) {
        for bench in benches { bench.zone.store.setTime(now: .zero, wall: wall(days)) }
    }

    private func post(_ bench: GroupBench, at days: Int64, of day: Int64) throws -> Day {
        let posted = Day(wall(day))
        try bench.zone.post(game: GroupBench.game, day: posted, score: 3, wall: wall(days))
        try bench.turn()
        return posted
    }

    private func arrivals(_ bench: GroupBench, of other: GroupBench) throws -> [Day: ScoreArrival] {
        let results = try bench.zone.results(of: other.member)
        return Dictionary(uniqueKeysWithValues: results.map { ($0.score.day, $0.arrival) })
    }

    @Test("Members who were there say what is late; history from before the group or its writer came is imported")
    func arrivals() throws {
        let anna = try GroupBench(founder: "anna", 1)
        let token = try anna.zone.invitations.invite(people: 6)
        let ben = try anna.admit("ben", 2, with: token)
        let old = try post(ben, at: 0, of: -400)
        let recent = try post(ben, at: 0, of: -1)
        try ben.meet(anna)
        begin(20, anna, ben)
        let late = try post(ben, at: 20, of: 8)
        let today = try post(ben, at: 20, of: 20)
        // A writer's clock does not make it early.
        let backdated = Day(wall(9))
        try ben.zone.post(game: GroupBench.game, day: backdated, score: 3, wall: wall(9))
        try ben.turn()
        try ben.meet(anna)
        let expected: [Day: ScoreArrival] = [
            old: .imported, recent: .inTime, late: .late, today: .inTime, backdated: .late,
        ]
        for bench in [anna, ben] { #expect(try arrivals(bench, of: ben) == expected) }
        #expect(try anna.zone.standings.rows([ben.member], period: .all, today: Day(wall(20))).map(\.late) == [2])
        let result = try anna.zone.standings.results(on: old, [ben.member]).first
        #expect(result?.arrival == .imported)

        let cleo = try GroupBench(anna.welcome("cleo", 3, with: token), 3)
        begin(20, cleo)
        try anna.meet(cleo)
        let before = try post(cleo, at: 20, of: 8)
        try cleo.meet(anna)
        for bench in [anna, cleo] { #expect(try arrivals(bench, of: cleo) == [before: .imported]) }
        // She cannot say which of ben's were late: by their writer's clock, one was and the other was in time.
        #expect(try arrivals(cleo, of: ben) == expected.merging([late: .imported, backdated: .inTime]) { $1 })
        for bench in [anna, cleo] { #expect(try arrivals(bench.reopened(), of: ben) == arrivals(bench, of: ben)) }
    }
}
