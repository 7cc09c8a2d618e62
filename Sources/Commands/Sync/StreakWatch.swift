import LeaderboardShare
import Node
import NodeCore
import NodeModel

/// Looks once a day, some hours before its end in UTC, for streaks that end with it.
struct StreakWatch {
    /// The last day examined.
    private var seen: Day?

    /// The rest of today, if its streaks are due for a look now.
    mutating func secondsLeft(_ wall: WallTime) -> Int? {
        let today = Day(wall)
        let left = today.end - wall
        guard seen != today, left <= Limits.streakWarning else { return nil }
        seen = today
        return Int(left.components.seconds)
    }

    /// The streaks of a group's own member that need a result today.
    static func notices(_ group: NodeGroup, today: Day, secondsLeft: Int) throws -> [Notice] {
        let standings = try group.zone.standings
        return standings.catalogue.games.compactMap { game in
            let row = standings.rows([group.zone.member], game: game.id, period: .today, today: today).first
            guard let row, row.currentStreak > 0, !row.hasPlayedToday else { return nil }
            let time = Wording.duration(seconds: Double(secondsLeft))
            var notice = Notice(
                .streak,
                "Your streak of \(Wording.count(row.currentStreak, "day")) of \(game.name) in \(group.title) ends in "
                    + "\(time) without a result for today")
            (notice.groupId, notice.group) = (group.zone.zone.hex, group.title)
            (notice.gameId, notice.gameName) = (game.id.uuid, game.name)
            (notice.currentStreak, notice.secondsLeft) = (row.currentStreak, secondsLeft)
            return notice
        }
    }
}
