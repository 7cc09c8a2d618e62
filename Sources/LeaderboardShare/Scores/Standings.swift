package import Ledger
package import NodeCore

/// The results of a group that count, organised so that standings cost time by members and games, and hardly by days.
///
/// The caller passes the winning value of each id (`DailyScore.supersedes`) among accepted records, in any order.
package struct Standings: Sendable {
    package internal(set) var catalogue: GameCatalogue
    private(set) var numbers: [MemberID: Int] = [:]
    private(set) var members: [MemberID] = []
    /// By member, then by the game's position.
    var columns: [[ScoreColumn]] = []
    var places: [GameID: Int]
    var best: [BestKey: BestOfDay] = [:]

    struct BestKey: Hashable {
        let game: Int
        let day: Day
    }

    struct BestOfDay {
        var score: UInt32
        var winners: [Int32]
    }

    package init(catalogue: GameCatalogue) {
        self.catalogue = catalogue
        places = Dictionary(uniqueKeysWithValues: catalogue.games.enumerated().map { ($1.id, $0) })
    }

    /// Replaces the value of an id by the one that now counts. False if the game is not in the catalogue: it counts
    /// once the game is there, and the standings are rebuilt.
    @discardableResult
    package mutating func put(_ score: DailyScore, _ arrival: ScoreArrival = .inTime) -> Bool {
        guard let place = places[score.game] else { return false }
        let game = catalogue.games[place]
        let member = number(of: score.member)
        forgetWinner(member, place, score.day)
        if score.isRemoved {
            columns[member][place].clear(score.day)
            return true
        }
        let counted = game.counted(score)
        columns[member][place].set(score.day, score: counted, points: game.points(score), arrival)
        if let value = counted { enter(value, member, place, score.day, game.model) }
        return true
    }

    /// Removes all results of a member, such as one that was removed from the group without naming them.
    package mutating func remove(_ member: MemberID) {
        guard let number = numbers[member] else { return }
        for place in columns[number].indices {
            for block in columns[number][place].blocks {
                for bit in 0..<64 where block.played & 1 << UInt64(bit) != 0 {
                    let day = Day(number: Int(block.number) << 6 + bit)
                    forgetWinner(number, place, day)
                    columns[number][place].clear(day)
                }
            }
        }
    }

    mutating func number(of member: MemberID) -> Int {
        if let known = numbers[member] { return known }
        numbers[member] = members.count
        members.append(member)
        columns.append(Array(repeating: ScoreColumn(), count: catalogue.games.count))
        return members.count - 1
    }

    // MARK: Winners

    mutating func enter(_ value: UInt32, _ member: Int, _ place: Int, _ day: Day, _ model: ScoringModel) {
        let key = BestKey(game: place, day: day)
        guard let known = best[key]?.score else {
            best[key] = BestOfDay(score: value, winners: [Int32(member)])
            columns[member][place].setWon(day, true)
            return
        }
        if model.isBetter(value, than: known) {
            for loser in best[key]?.winners ?? [] { columns[Int(loser)][place].setWon(day, false) }
            best[key] = BestOfDay(score: value, winners: [Int32(member)])
            columns[member][place].setWon(day, true)
        } else if value == known {
            best[key]?.winners.append(Int32(member))
            columns[member][place].setWon(day, true)
        }
    }

    /// Called before a result changes. If it was the only best one, the other results of that day are searched.
    private mutating func forgetWinner(_ member: Int, _ place: Int, _ day: Day) {
        guard columns[member][place].result(day)?.isWon == true else { return }
        let key = BestKey(game: place, day: day)
        columns[member][place].setWon(day, false)
        best[key]?.winners.removeAll { $0 == Int32(member) }
        guard best[key]?.winners.isEmpty == true else { return }
        best[key] = nil
        let model = catalogue.games[place].model
        for other in columns.indices where other != member {
            if let value = columns[other][place].result(day)?.score { enter(value, other, place, day, model) }
        }
    }

    // MARK: Questions

    /// Number of days on which anybody has a result.
    package var daysPlayed: Int {
        var words: [Int32: UInt64] = [:]
        for member in columns {
            for column in member { for block in column.blocks { words[block.number, default: 0] |= block.played } }
        }
        return words.values.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// The standings of these members in a period, best first; members without results come last. Members with equal
    /// points keep the given order. Results of days after tomorrow count nowhere: nobody played then.
    /// - Parameter game: one game only, or nil for all.
    package func rows(
        _ asked: [MemberID], game: GameID? = nil, period: StandingsPeriod, today: Day
    ) -> [StandingRow] {
        let days = period.shown(today: today)
        let range = gameRange(game)
        var rows = asked.map { row($0, range, days, today) }.enumerated().sorted {
            ($1.element.points, $0.offset) < ($0.element.points, $1.offset)
        }.map(\.element)
        for index in rows.indices {
            let isTied = index > 0 && rows[index - 1].points == rows[index].points
            rows[index].rank = isTied ? rows[index - 1].rank : index + 1
        }
        return rows
    }

    private func gameRange(_ game: GameID?) -> Range<Int> {
        guard let game else { return catalogue.games.indices }
        return places[game].map { $0..<$0 + 1 } ?? 0..<0
    }

    private func row(_ member: MemberID, _ games: Range<Int>, _ days: ClosedRange<Day>?, _ today: Day) -> StandingRow {
        let ever = Day.first...(today + 1)
        var totals = ScoreColumn.Totals()
        var averages: [StandingRow.GameAverage] = []
        var lastPlayed: Day?
        var hasPlayedToday = false
        var completed = DayBits()
        if let number = numbers[member] {
            completed = completedDays(number, games, ever)
            for place in games {
                var game = ScoreColumn.Totals()
                if let days { columns[number][place].add(days, to: &game) }
                totals = totals + game
                if game.completed > 0 {
                    averages.append(
                        .init(
                            game: catalogue.games[place].id, completed: game.completed,
                            average: Double(game.scores) / Double(game.completed)))
                }
                if let last = columns[number][place].lastPlayed(in: ever) { lastPlayed = max(lastPlayed ?? last, last) }
                if !hasPlayedToday { hasPlayedToday = columns[number][place].result(today) != nil }
            }
        }
        let upToToday = completed.run(endingAt: today)
        return StandingRow(
            rank: 0, member: member, points: totals.points, played: totals.played, completed: totals.completed,
            wins: totals.won, averages: averages,
            currentStreak: upToToday > 0 ? upToToday : completed.run(endingAt: today - 1),
            bestStreak: completed.longestRun, lastPlayed: lastPlayed, hasPlayedToday: hasPlayedToday,
            late: totals.late)
    }

    /// Those of the days on which a member completed any of the games.
    private func completedDays(_ member: Int, _ games: Range<Int>, _ days: ClosedRange<Day>) -> DayBits {
        var all: [(Int32, UInt64)] = []
        for place in games {
            for block in columns[member][place].blocks {
                all.append((block.number, block.completed & ScoreColumn.mask(block.number, days)))
            }
        }
        if games.count > 1 { all.sort { $0.0 < $1.0 } }
        var bits = DayBits()
        for (number, completed) in all { bits.merge(number, completed) }
        return bits
    }

    /// Each member's results of a day, by game in catalogue order, then in the given order.
    package func results(on day: Day, _ asked: [MemberID], game: GameID? = nil) -> [DayResult] {
        gameRange(game).flatMap { place in
            asked.compactMap { member in
                guard let number = numbers[member], let result = columns[number][place].result(day) else { return nil }
                return DayResult(
                    member: member, game: catalogue.games[place].id, score: result.score, points: result.points,
                    arrival: result.arrival, isWinner: result.isWon)
            }
        }
    }

    /// The winners of a day: for one game those with the best completed result, for several those with most points. All
    /// of them on a tie; none if nobody completed a game.
    package func winners(on day: Day, _ asked: [MemberID], game: GameID? = nil) -> [MemberID] {
        let results = results(on: day, asked, game: game)
        if game != nil || catalogue.games.count == 1 { return results.filter(\.isWinner).map(\.member) }
        var points: [MemberID: UInt32] = [:]
        for result in results where result.score != nil { points[result.member, default: 0] += result.points }
        guard let most = points.values.max(), most > 0 else { return [] }
        return asked.filter { points[$0] == most }
    }

    /// Points by day and member, ascending; days without a result are omitted, and days after tomorrow.
    package func race(
        _ asked: [MemberID], game: GameID? = nil, in range: ClosedRange<Day>, today: Day
    ) -> [DayPoints] {
        guard let range = StandingsPeriod.days(range).shown(today: today) else { return [] }
        var days: [Day: [UInt64]] = [:]
        for (row, member) in asked.enumerated() {
            guard let number = numbers[member] else { continue }
            for place in gameRange(game) {
                for block in columns[number][place].blocks {
                    var rest = block.played & ScoreColumn.mask(block.number, range)
                    while rest != 0 {
                        let bit = rest.trailingZeroBitCount
                        rest &= rest - 1
                        let day = Day(number: Int(block.number) << 6 + bit)
                        days[day, default: Array(repeating: 0, count: asked.count)][row] += UInt64(
                            block.cellPoints[bit])
                    }
                }
            }
        }
        return days.keys.sorted().map { DayPoints(day: $0, points: days[$0] ?? []) }
    }

    /// Points by week and member, from the first week with a result to the last; weeks without one are omitted, and
    /// days after tomorrow.
    package func history(_ asked: [MemberID], game: GameID? = nil, today: Day) -> [WeekPoints] {
        var weeks: [Day: [UInt64]] = [:]
        for (row, member) in asked.enumerated() {
            guard let number = numbers[member] else { continue }
            for place in gameRange(game) {
                for block in columns[number][place].blocks {
                    addWeeks(of: block, row, asked.count, through: today + 1, to: &weeks)
                }
            }
        }
        return weeks.keys.sorted().map { WeekPoints(week: $0, points: weeks[$0] ?? []) }
    }

    private func addWeeks(
        of block: ScoreColumn.Block, _ row: Int, _ count: Int, through: Day, to weeks: inout [Day: [UInt64]]
    ) {
        // Uses numbers because days are clamped: the day after the last one is the last one.
        let first = Int(block.number) << 6
        let last = min(first + 63, Int(through.number))
        for number in stride(from: Int(Day(number: first).weekStart.number), through: last, by: 7) {
            let day = Day(number: number)
            let mask = ScoreColumn.mask(block.number, day...max(day, min(day + 6, through)))
            if block.played & mask != 0 {
                var totals = ScoreColumn.Totals()
                block.add(mask, to: &totals)
                weeks[day, default: Array(repeating: 0, count: count)][row] += totals.points
            }
        }
    }
}
