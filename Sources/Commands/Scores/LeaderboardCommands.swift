import Chat
import LeaderboardShare
package import Node
import NodeCore
package import NodeModel

/// `leaderboard …`
extension Command {
    static let leaderboards: [Command] = [leaderboard, leaderboardHistory, leaderboardRace, leaderboardDay]

    static let leaderboard: Command = {
        let period = Parameter.choice(
            "--period", "P", ["today", "yesterday", "week", "last-week", "month", "all"],
            "today, yesterday, week, last-week, month or all (default: week)")
        return Command(
            "leaderboard", "Show the standings of a group",
            examples: ["Family", "Family --game Wordle --period month", "Family --from 2026-01-01 --to 2026-03-31"],
            takes: [
                GroupNaming.optionalGroup, account, ScoreParameters.game, period, ScoreParameters.from,
                ScoreParameters.to,
            ],
            at: Endpoint(
                "leaderboard", .get, "/v1/groups/{group}/leaderboard", .scope(.groupsRead),
                answer: .object(Leaderboard.self, shows: BoardText.board)),
            begin: reading { call in
                let days = try call.days()
                if days != nil, call.has(period) {
                    throw NodeError.wrong(
                        period,
                        """
                        and \(parameter: ScoreParameters.from.spec.name)/\(parameter: ScoreParameters.to.spec.name) \
                        exclude each other
                        """)
                }
                let word = call[period] ?? "week"
                guard let period = days.map({ .days($0) }) ?? StandingsPeriod(name: word) else {
                    throw NodeError.wrong(
                        period, "must be today, yesterday, week, last-week, month or all\(Wording.instead(word))")
                }
                let group = try call.onlyGroup()
                return try Leaderboard(group, try call.game(in: group), period, of: call.node, today: call.today)
            })
    }()

    static let leaderboardHistory = Command(
        "leaderboard history", "Show points by week and member, for plots", examples: ["Family --csv > family.csv"],
        takes: [
            GroupNaming.optionalGroup, account, ScoreParameters.game,
            Parameter.flag("--csv", "as comma-separated values"),
        ],
        at: Endpoint(
            "leaderboardHistory", .get, "/v1/groups/{group}/leaderboard/history", .scope(.groupsRead),
            takes: [GroupNaming.optionalGroup, ScoreParameters.game],
            answer: .object(LeaderboardHistory.self, shows: BoardText.history)),
        begin: reading { call in
            let group = try call.onlyGroup()
            return try LeaderboardHistory(group, try call.game(in: group), of: call.node, today: call.today)
        })

    static let leaderboardRace = Command(
        "leaderboard race", "Show points by day and member, for plots (default: this month)",
        examples: ["Family --from 2026-10-01 --to 2026-10-31"],
        takes: [GroupNaming.optionalGroup, account, ScoreParameters.game, ScoreParameters.from, ScoreParameters.to],
        at: Endpoint(
            "leaderboardRace", .get, "/v1/groups/{group}/leaderboard/race", .scope(.groupsRead),
            answer: .object(LeaderboardRace.self, shows: BoardText.race)),
        begin: reading { call in
            let (group, today) = (try call.onlyGroup(), call.today)
            let days = try call.days() ?? today.month
            guard days.upperBound.number - days.lowerBound.number < Limits.raceDays else {
                throw NodeError.wrong(
                    ScoreParameters.from, "must be at most \(Limits.raceDays) days before the last day")
            }
            return try LeaderboardRace(group, try call.game(in: group), days, of: call.node, today: today)
        })

    static let leaderboardDay: Command = {
        let date = Parameter.text("DATE", .form("YYYY-MM-DD", .day), "a day in UTC").requested(.day)
        return Command(
            "leaderboard day", "Show all results of a day and its winner",
            examples: ["2026-11-20", "Family 2026-11-20 --game Wordle"],
            takes: [GroupNaming.optionalGroup, date, account, ScoreParameters.game],
            at: Endpoint(
                "leaderboardDay", .get, "/v1/groups/{group}/leaderboard/days/{date}", .scope(.groupsRead),
                answer: .object(LeaderboardDay.self, shows: BoardText.day)),
            begin: reading { call in
                let group = try call.onlyGroup()
                guard let day = try call.day(date) else { throw NodeError.wrong(date, "must be given") }
                return try LeaderboardDay(group, try call.game(in: group), day, of: call.node, today: call.today)
            })
    }()
}

extension NodeGroup {
    /// The members whose results are shown.
    fileprivate var players: [GroupMember] { zone.roster.members().filter { $0.state == .active } }

    /// The number of other members whose results are here.
    fileprivate var notShown: Int {
        zone.roster.members(withRemoved: true).count { $0.state != .active && zone.hasResults(of: $0.id) }
    }
}

extension BoardScope {
    fileprivate init(_ group: NodeGroup, _ game: LeaderboardShare.Game?, _ node: LocalNode) {
        self.init()
        groupId = group.zone.zone.hex
        title = group.title
        let standing = GroupStanding(group: group, node: node)
        state = ["joined", "joining"].contains(standing.word) ? standing.word : "ended"
        lack = standing.lack
        gameId = game?.id.uuid
        self.game = game?.name
    }
}

extension Leaderboard {
    fileprivate init(
        _ group: NodeGroup, _ game: LeaderboardShare.Game?, _ period: StandingsPeriod, of node: LocalNode, today: Day
    ) throws {
        self.init()
        scope = BoardScope(group, game, node)
        let members = group.players
        let named = Dictionary(uniqueKeysWithValues: members.map { ($0.id, $0) })
        let days = period.days(today: today)
        from = days.flatMap { $0.lowerBound == Call.firstDay ? nil : $0.lowerBound.dateInt }
        to = days?.upperBound.dateInt
        self.today = today.dateInt
        let standings = try group.zone.standings
        rows = standings.rows(members.map(\.id), game: game?.id, period: period, today: today)
            .map { Standing($0, named[$0.member], standings.catalogue) }
        notShown = group.notShown
    }
}

extension Standing {
    fileprivate init(_ row: StandingRow, _ member: GroupMember?, _ catalogue: GameCatalogue) {
        self.init()
        rank = row.rank
        memberId = row.member.hex
        name = member?.name ?? ""
        me = member?.isMe ?? false
        points = Int(clamping: row.points)
        played = row.played
        completed = row.completed
        wins = row.wins
        average = row.average
        currentStreak = row.currentStreak
        bestStreak = row.bestStreak
        lastPlayed = row.lastPlayed?.dateInt
        playedToday = row.hasPlayedToday
        late = row.late
        averages = row.averages.map { average in
            NodeModel.GameAverage {
                $0.gameId = average.game.uuid
                $0.gameName = catalogue[average.game]?.name ?? ""
                ($0.completed, $0.average) = (average.completed, average.average)
            }
        }
    }
}

extension LeaderboardDay {
    fileprivate init(
        _ group: NodeGroup, _ game: LeaderboardShare.Game?, _ day: Day, of node: LocalNode, today: Day
    ) throws {
        self.init()
        scope = BoardScope(group, game, node)
        date = day.dateInt
        notShown = group.notShown
        // Tomorrow has begun further east; later days are nobody's.
        guard day <= today + 1 else { return }
        let members = group.players
        let named = Dictionary(uniqueKeysWithValues: members.map { ($0.id, $0) })
        let standings = try group.zone.standings
        let ids = members.map(\.id)
        results = standings.results(on: day, ids, game: game?.id).map { result in
            NodeModel.DayResult(result, named[result.member], gameName: standings.catalogue[result.game]?.name)
        }
        winners = standings.winners(on: day, ids, game: game?.id).map { id in
            BoardMember { ($0.memberId, $0.name) = (id.hex, named[id]?.name ?? "") }
        }
    }
}

extension NodeModel.DayResult {
    fileprivate init(_ result: LeaderboardShare.DayResult, _ member: GroupMember?, gameName: String?) {
        self.init()
        memberId = result.member.hex
        name = member?.name ?? ""
        me = member?.isMe ?? false
        gameId = result.game.uuid
        self.gameName = gameName
        score = result.score.map { Int($0) }
        points = Int(result.points)
        late = result.arrival == .late
        imported = result.arrival == .imported
        winner = result.isWinner
    }
}

extension LeaderboardHistory {
    fileprivate init(_ group: NodeGroup, _ game: LeaderboardShare.Game?, of node: LocalNode, today: Day) throws {
        self.init()
        scope = BoardScope(group, game, node)
        let players = group.players
        members = players.map { BoardMember($0) }
        weeks = try group.zone.standings.history(players.map(\.id), game: game?.id, today: today).map { points in
            HistoryWeek { ($0.week, $0.points) = (points.week.dateInt, points.points.map { Int(clamping: $0) }) }
        }
    }
}

extension LeaderboardRace {
    fileprivate init(
        _ group: NodeGroup, _ game: LeaderboardShare.Game?, _ range: ClosedRange<Day>, of node: LocalNode, today: Day
    ) throws {
        self.init()
        scope = BoardScope(group, game, node)
        (from, to) = (range.lowerBound.dateInt, range.upperBound.dateInt)
        let players = group.players
        members = players.map { BoardMember($0) }
        days = try group.zone.standings.race(players.map(\.id), game: game?.id, in: range, today: today).map { points in
            RaceDay { ($0.date, $0.points) = (points.day.dateInt, points.points.map { Int(clamping: $0) }) }
        }
    }
}

extension BoardMember {
    fileprivate init(_ member: GroupMember) {
        self.init()
        (memberId, name) = (member.id.hex, member.name)
    }
}

package enum BoardText {
    @Sendable static func board(_ board: Leaderboard, _ output: Output) {
        let days =
            switch (board.from.map(ScoreText.day), board.to.map(ScoreText.day)) {
            case (nil, nil): "all time"
            case (nil, let to?): "up to \(to)"
            case (let from?, let to): to == nil || to == from ? from : "\(from) to \(to ?? "")"
            }
        output.line(
            "\(Terminal.harmless(board.title))\(board.game.map { ", " + Terminal.harmless($0) } ?? ""): \(days)")
        standings.showTable(board.rows, output)
        note(board.notShown, of: board.scope, output)
    }

    /// Says whose results are kept and do not count, and what may be missing.
    private static func note(_ notShown: Int, of scope: BoardScope, _ output: Output) {
        if notShown > 0 {
            let people =
                notShown == 1 ? "1 person who is suspended or not" : "\(notShown) people who are suspended or not"
            let all = output.program.command("score list \(Program.quoted(scope.title)) --all")
            output.sentence("without \(people) in the group any more; their results are kept (\(all))")
        }
        if let lack = scope.lack { output.sentence(Wording.capitalised(lack) + ".") }
    }

    private static let standings = ListColumns<Standing>(
        whenEmpty: "",
        [
            .number("RANK") { $0.rank }, .text("MEMBER", .shortened(to: 8)) { $0.name + ($0.me ? " (you)" : "") },
            .number("POINTS") { $0.points }, .number("PLAYED") { $0.played }.spare, .number("WON") { $0.wins },
            ListColumns<Standing>.Column(column: TextTable.Column(title: "AVERAGE", isRight: true)) { "\(average($0))" }
                .spare, .number("STREAK") { $0.currentStreak }, .number("BEST") { $0.bestStreak }.spare,
            .text("LAST") { $0.lastPlayed.map(ScoreText.day) ?? "-" }.spare,
            .text("NOTES", .wrapped(at: 8)) {
                marks([$0.playedToday ? "" : "not yet today", $0.late > 0 ? "\($0.late) late" : ""])
            }.spare,
        ])

    private static func average(_ row: Standing) -> String {
        guard let average = row.average else { return "-" }
        let hundredths = Int((average * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    @Sendable static func day(_ day: LeaderboardDay, _ output: Output) {
        output.line("\(Terminal.harmless(day.scope.title)), \(ScoreText.day(day.date))")
        defer { note(day.notShown, of: day.scope, output) }
        guard !day.results.isEmpty else { return output.line("nobody played") }
        results.showTable(day.results, output)
        let winners = day.winners.map { Terminal.harmless($0.name) }
        output.line(winners.isEmpty ? "nobody won" : "won by " + winners.joined(separator: ", "))
    }

    private static let results = ListColumns<NodeModel.DayResult>(
        whenEmpty: "",
        [
            .text("MEMBER", .shortened(to: 8)) { $0.name + ($0.me ? " (you)" : "") },
            .text("GAME", .shortened(to: 8)) { $0.gameName ?? "-" }, .text("RESULT") { ScoreText.result($0.score) },
            .number("POINTS") { $0.points },
            .text("NOTES") { marks([$0.winner ? "best" : "", $0.late ? "late" : "", $0.imported ? "imported" : ""]) },
        ])

    @Sendable static func history(_ history: LeaderboardHistory, _ output: Output) {
        points(history.members, "WEEK", history.weeks.map { ($0.week, $0.points) }, output)
    }

    @Sendable static func race(_ race: LeaderboardRace, _ output: Output) {
        points(race.members, "DAY", race.days.map { ($0.date, $0.points) }, output)
    }

    private static func points(
        _ members: [BoardMember], _ head: String, _ rows: [(date: Int, points: [Int])], _ output: Output
    ) {
        let columns = members.map { TextTable.Column(title: Terminal.harmless($0.name), isRight: true) }
        output.table(
            [TextTable.Column(title: head)] + columns,
            rows.map { row in ["\(ScoreText.day(row.date))"] + row.points.map { "\(Wording.grouped($0))" } })
    }

    /// Comma-separated values (RFC 4180), a line a week.
    package static func csv(_ history: LeaderboardHistory, _ output: Output) {
        func field(_ text: String) -> String {
            guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
            return "\"" + text.replacing("\"", with: "\"\"") + "\""
        }
        output.bufferedLine((["week"] + history.members.map { field($0.name) }).joined(separator: ",").utf8)
        for week in history.weeks {
            let cells = [ScoreText.day(week.week)] + week.points.map { "\($0)" }
            output.bufferedLine(cells.joined(separator: ",").utf8)
        }
    }

    private static func marks(_ marks: [String]) -> String { marks.filter { !$0.isEmpty }.joined(separator: ", ") }
}
