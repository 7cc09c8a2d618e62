import Chat
import LeaderboardShare
import Node
import NodeCore
import SyncState

/// What `leaderboard` and its kin answer.
struct BoardReport {
    package let group: NodeGroup
    package let arguments: ScoreRequest

    package func answer(_ command: String) throws -> JSONValue {
        var fields: [String: JSONValue] = [
            "groupId": .string(group.zone.zone.hex), "title": .string(group.title),
            "state": .string(group.membership.state == .joined ? "joined" : "ended"),
        ]
        let game = try arguments.game(in: group)
        fields["gameId"] = .optional(game?.id.uuid)
        fields["game"] = .optional(game?.name)
        switch command {
        case "leaderboard day": try day(game, &fields)
        case "leaderboard history": try history(game, &fields)
        default: try rows(game, &fields)
        }
        return .object(fields)
    }

    private func rows(_ game: Game?, _ fields: inout [String: JSONValue]) throws {
        let today = Day(arguments.wall)
        let period = try arguments.period(usual: .week)
        let members = group.zone.memberList().filter { $0.state == .active }
        let names = Dictionary(uniqueKeysWithValues: members.map { ($0.id, $0) })
        let days = period.days(today: today)
        fields["from"] = .optional(days?.lowerBound.dateInt)
        fields["to"] = .optional(days?.upperBound.dateInt)
        fields["today"] = .number(today.dateInt)
        let rows = try group.zone.standings.rows(members.map(\.id), game: game?.id, period: period, today: today)
        fields["rows"] = .array(
            rows.map { row in
                .object([
                    "rank": .number(row.rank), "memberId": .string(row.member.hex),
                    "name": .optional(names[row.member]?.name), "me": .bool(names[row.member]?.isMe ?? false),
                    "points": .number(row.points), "played": .number(row.played),
                    "completed": .number(row.completed), "wins": .number(row.wins),
                    "average": row.average.map { .double($0) } ?? .null,
                    "currentStreak": .number(row.currentStreak), "bestStreak": .number(row.bestStreak),
                    "lastPlayed": .optional(row.lastPlayed?.dateInt), "playedToday": .bool(row.hasPlayedToday),
                    "late": .number(row.late),
                ])
            })
    }

    private func day(_ game: Game?, _ fields: inout [String: JSONValue]) throws {
        guard let day = try arguments.day("DATE") else { throw NodeError(.usage, "leaderboard day needs a date") }
        // Results of who was removed stay where the removal names them; those of the suspended are hidden.
        let members = group.zone.memberList(withRemoved: true).filter { $0.state != .suspended }
        let names = Dictionary(uniqueKeysWithValues: members.map { ($0.id, $0) })
        let standings = try group.zone.standings
        let ids = members.map(\.id)
        fields["date"] = .number(day.dateInt)
        fields["results"] = .array(
            standings.results(on: day, ids, game: game?.id).map { result in
                .object([
                    "memberId": .string(result.member.hex), "name": .optional(names[result.member]?.name),
                    "gameId": .string(result.game.uuid),
                    "gameName": .optional(standings.catalogue[result.game]?.name), "score": .optional(result.score),
                    "completed": .bool(result.score != nil), "points": .number(result.points),
                    "late": .bool(result.isLate), "winner": .bool(result.isWinner),
                    "me": .bool(names[result.member]?.isMe ?? false),
                ])
            })
        fields["winners"] = .array(
            standings.winners(on: day, ids, game: game?.id).map { id in
                .object(["memberId": .string(id.hex), "name": .optional(names[id]?.name)])
            })
    }

    private func history(_ game: Game?, _ fields: inout [String: JSONValue]) throws {
        let members = group.zone.memberList(withRemoved: true).filter { $0.state != .suspended }
        let weeks = try group.zone.standings.history(members.map(\.id), game: game?.id)
        // Who was removed and never posted is no line in a plot.
        let shown = members.indices.filter { place in
            members[place].state == .active || weeks.contains { $0.points[place] > 0 }
        }
        fields["members"] = .array(
            shown.map { place in
                .object(["memberId": .string(members[place].id.hex), "name": .string(members[place].name)])
            })
        fields["weeks"] = .array(
            weeks.map { week in
                .object([
                    "week": .number(week.week.dateInt), "points": .array(shown.map { .number(week.points[$0]) }),
                ])
            })
    }
}
