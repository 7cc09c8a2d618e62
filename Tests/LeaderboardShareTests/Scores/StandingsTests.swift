import Ledger
import NodeCore
import TestScale
import Testing

@testable import LeaderboardShare

@Suite("Standings") struct StandingsTests {
    let games: [Game]
    let catalogue: GameCatalogue
    let members = (0..<6).map { MemberID(Bytes32(0, 0, 0, UInt64($0) + 1)) }
    let today = Day(number: 20_000)

    init() throws {
        games = [
            try Game(id: GameID(Bytes16(0, 1)), name: "Wordle", model: .lowerAttempts, maxAttempts: 6, number: 1),
            try Game(id: GameID(Bytes16(0, 2)), name: "Points", model: .higher, number: 2),
            try Game(id: GameID(Bytes16(0, 3)), name: "Mini", model: .lowerSeconds, number: 3),
        ]
        catalogue = GameCatalogue(games)
    }

    private func score(
        _ member: Int, _ day: Day, _ value: UInt32?, game: Int = 0, removed: Bool = false
    ) throws -> DailyScore {
        try DailyScore(
            member: members[member], day: day, game: games[game].id, gameName: games[game].name, score: value,
            maxAttempts: game == 0 ? 6 : 0, updatedAt: day.start, isRemoved: removed)
    }

    @Test("Ties share a rank, and the next one is left out")
    func ranks() throws {
        var standings = Standings(catalogue: catalogue)
        for (member, value) in [(0, 4), (1, 3), (2, 4), (3, 6)] as [(Int, UInt32)] {
            standings.put(try score(member, today, value))
        }
        let rows = standings.rows(members, period: .today, today: today)
        #expect(rows.map(\.rank) == [1, 2, 2, 4, 5, 5])
        #expect(rows.map(\.member) == [1, 0, 2, 3, 4, 5].map { members[$0] })
        #expect(rows.map(\.points) == [4, 3, 3, 1, 0, 0])
        #expect(rows[0].wins == 1 && rows[1].wins == 0)
        #expect(rows.map(\.hasPlayedToday) == [true, true, true, true, false, false])
        #expect(standings.winners(on: today, members, game: games[0].id) == [members[1]])
    }

    @Test(
        "No attempts, more than there are, or no seconds are no result: no points, no win, no streak",
        arguments: [0, 7, 1_000_000] as [UInt32])
    func impossible(attempts: UInt32) throws {
        var standings = Standings(catalogue: catalogue)
        standings.put(try score(0, today, attempts))
        standings.put(try score(1, today, 1))
        standings.put(try score(2, today, 0, game: 2))
        standings.put(try score(3, today, 1, game: 2))
        let rows = standings.rows(members, game: games[0].id, period: .today, today: today)
        #expect(rows[0].member == members[1] && rows[0].points == 6 && rows[0].wins == 1)
        let none = try #require(rows.first { $0.member == members[0] })
        #expect(none.points == 0 && none.wins == 0 && none.played == 1 && none.completed == 0)
        #expect(none.currentStreak == 0 && none.average == nil)
        #expect(standings.winners(on: today, members, game: games[0].id) == [members[1]])
        #expect(standings.winners(on: today, members, game: games[2].id) == [members[3]])
        // When the best goes, an impossible score does not take its place.
        standings.remove(members[1])
        #expect(standings.winners(on: today, members, game: games[0].id).isEmpty)
    }

    @Test(
        "Streaks: the longest, and the one that is open until the end of today", arguments: [0, 1, 30, 63, 64, 65, 200])
    func streaks(length: Int) throws {
        var standings = Standings(catalogue: catalogue)
        for offset in 0..<length { standings.put(try score(0, today - 1 - offset, 3)) }
        for offset in 0..<10 { standings.put(try score(0, today - 300 - offset, 3, game: 1)) }
        standings.put(try score(0, today - length - 1, nil))
        func row(_ day: Day) -> StandingRow { standings.rows([members[0]], period: .all, today: day)[0] }
        #expect(row(today).currentStreak == length)
        #expect(row(today).bestStreak == max(length, 10))
        #expect(row(today + 1).currentStreak == 0)
        standings.put(try score(0, today, 1, game: 2))
        #expect(row(today).currentStreak == length + 1)
        #expect(row(today).lastPlayed == today)
    }

    @Test(
        "Any order of posts, corrections and removals gives what a plain count gives",
        arguments: 0..<TestScale.of(usual: 10, proof: 30) as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var held: [String: DailyScore] = [:]
        var late: Set<String> = []
        var standings = Standings(catalogue: catalogue)
        for _ in 0..<400 {
            let (member, game) = (Int.random(in: 0..<6, using: &random), Int.random(in: 0..<3, using: &random))
            let day = today - Int.random(in: 0..<90, using: &random)
            let value = Bool.random(using: &random) ? UInt32.random(in: 1...6, using: &random) : nil
            let isRemoved = Int.random(in: 0..<5, using: &random) == 0
            let posted = try score(member, day, value, game: game, removed: isRemoved)
            let isLate = Bool.random(using: &random)
            standings.put(posted, isLate ? .late : .inTime)
            held[posted.id] = isRemoved ? nil : posted
            if isLate && !isRemoved { late.insert(posted.id) } else { late.remove(posted.id) }
        }
        if seed % 3 == 0 {
            standings.remove(members[2])
            held = held.filter { $0.value.member != members[2] }
        }
        let all = Array(held.values)
        let periods: [StandingsPeriod] = [
            .today, .yesterday, .week, .lastWeek, .month, .all, .days((today - 70)...(today - 3)),
        ]
        for game in [nil, games[0].id, games[2].id] {
            for period in periods {
                let days = period.days(today: today)
                let inside = all.filter { (days?.contains($0.day) ?? true) && (game == nil || $0.game == game) }
                for row in standings.rows(members, game: game, period: period, today: today) {
                    let mine = inside.filter { $0.member == row.member }
                    #expect(row.played == mine.count && row.completed == mine.count { $0.isCompleted })
                    #expect(row.points == mine.reduce(0) { $0 + UInt64(Self.points($1, catalogue)) })
                    #expect(row.wins == mine.count { Self.isBest($0, all, catalogue) })
                    #expect(row.late == mine.count { late.contains($0.id) })
                    #expect(row.averages == Self.averages(mine, catalogue))
                    #expect(row.average == (row.averages.count == 1 ? row.averages.first?.average : nil))
                }
            }
            let weeks = standings.history(members, game: game, today: today)
            let total = weeks.flatMap(\.points).reduce(0, +)
            let counted = all.filter { game == nil || $0.game == game }
            #expect(total == counted.reduce(0) { $0 + UInt64(Self.points($1, catalogue)) })
            #expect(Set(weeks.map(\.week)) == Set(counted.map(\.day.weekStart)))
            let range = (today - 70)...(today - 3)
            let race = standings.race(members, game: game, in: range, today: today)
            let raced = counted.filter { range.contains($0.day) }
            #expect(race.map(\.day) == Set(raced.map(\.day)).sorted())
            for points in race {
                let sums = members.map { member in
                    raced.filter { $0.member == member && $0.day == points.day }
                        .reduce(0) { $0 + UInt64(Self.points($1, catalogue)) }
                }
                #expect(points.points == sums)
            }
        }
    }

    private static func averages(_ scores: [DailyScore], _ catalogue: GameCatalogue) -> [StandingRow.GameAverage] {
        catalogue.games.compactMap { game in
            let values = scores.filter { $0.game == game.id }.compactMap(\.score)
            guard !values.isEmpty else { return nil }
            return .init(
                game: game.id, completed: values.count, average: Double(values.reduce(0, +)) / Double(values.count))
        }
    }

    private static func points(_ score: DailyScore, _ catalogue: GameCatalogue) -> UInt32 {
        guard let game = catalogue[score.game] else { return 0 }
        return game.model.points(score: score.score, maxAttempts: score.maxAttempts)
    }

    private static func isBest(_ score: DailyScore, _ all: [DailyScore], _ catalogue: GameCatalogue) -> Bool {
        guard let value = score.score, let game = catalogue[score.game] else { return false }
        return !all.contains { other in
            other.day == score.day && other.game == score.game
                && (other.score.map { game.model.isBetter($0, than: value) } ?? false)
        }
    }

    @Test("Days after tomorrow are in no list, no streak and no week; tomorrow is today further east")
    func future() throws {
        var standings = Standings(catalogue: catalogue)
        for offset in [0, 1, 2, 3, 400] { standings.put(try score(0, today + offset, 3)) }
        standings.put(try score(0, Day(number: .max), 3))
        for period in [StandingsPeriod.all, .days(today...Day(number: .max))] {
            let row = standings.rows([members[0]], period: period, today: today)[0]
            #expect(row.played == 2 && row.completed == 2 && row.wins == 2 && row.bestStreak == 2)
            #expect(row.lastPlayed == today + 1)
        }
        let later = standings.rows([members[0]], period: .days((today + 2)...Day(number: .max)), today: today)
        #expect(later.map(\.played) == [0])
        let weeks = standings.history([members[0]], today: today)
        #expect(
            weeks.flatMap(\.points).reduce(0, +) == 2
                * UInt64(catalogue.games[0].model.points(score: 3, maxAttempts: 6)))
    }

    @Test("A game that is not in the catalogue does not count; absurd days cost a block each")
    func strange() throws {
        var standings = Standings(catalogue: catalogue)
        let unknown = try DailyScore(
            member: members[0], day: today, game: GameID(Bytes16(9, 9)), gameName: "?", score: 1,
            updatedAt: today.start)
        let isTaken = standings.put(unknown)
        #expect(!isTaken)
        for dateInt in [1_01_01, 9999_12_31, 1969_12_31] {
            let day = try #require(Day(dateInt: dateInt))
            standings.put(try score(0, day, 3))
        }
        let row = standings.rows([members[0]], period: .all, today: today)[0]
        #expect(row.played == 2 && row.bestStreak == 1 && row.currentStreak == 0)
        #expect(standings.winners(on: today, members).isEmpty)
    }
}
