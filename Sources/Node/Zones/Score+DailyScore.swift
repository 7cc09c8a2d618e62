package import LeaderboardShare
import NodeCore
package import NodeModel

extension Score {
    /// The model that `score list` returns and `score import` reads.
    package init(_ score: DailyScore) {
        self.init()
        scoreId = score.id
        userId = score.member.hex
        dateInt = score.day.dateInt
        gameId = score.game.uuid
        gameName = score.gameName
        self.score = score.score.map { Int($0) }
        maxAttempts = Int(score.maxAttempts)
        completed = score.isCompleted
        currentStreak = score.currentStreak.map { Int($0) }
        updatedAt = Int(score.updatedAt.milliseconds)
        revision = Int(score.revision)
    }
}
