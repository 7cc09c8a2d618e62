import Ledger
import NodeCore
import Testing

@testable import LeaderboardShare

@Suite("Standings at the ends of the calendar", .timeLimit(.minutes(30))) struct StandingsEndsTests {
    @Test(
        "Results on the first and on the last day that can be written: every question has an answer",
        arguments: [
            1_01_01, 9999_12_31,
        ])
    func ends(dateInt: Int) throws {
        let day = try #require(Day(dateInt: dateInt))
        let member = MemberID(Bytes32(0, 0, 0, 1))
        let game = try Game(id: GameID(.zero), name: "Wordle", model: .lowerAttempts, maxAttempts: 6, number: 1)
        var standings = Standings(catalogue: GameCatalogue([game]))
        standings.put(
            try DailyScore(
                member: member, day: day, game: game.id, gameName: "Wordle", score: 3, maxAttempts: 6,
                updatedAt: WallTime(milliseconds: 0)))
        let weeks = standings.history([member], today: day)
        #expect(weeks.map(\.points) == [[4]])
        #expect(weeks.map(\.week) == [day.weekStart])
        for period in [StandingsPeriod.today, .yesterday, .week, .lastWeek, .month, .all, .days(day...day)] {
            let rows = standings.rows([member], period: period, today: day)
            #expect(rows.count == 1)
        }
        #expect(standings.rows([member], period: .all, today: day).first?.points == 4)
    }
}
