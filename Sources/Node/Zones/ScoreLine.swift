package import LeaderboardShare
import NodeCore

/// A result as JSON, the output of `score list` and input of `score import`.
package struct ScoreLine {
    private let score: DailyScore

    package init(_ score: DailyScore) {
        self.score = score
    }

    package var fields: [String: JSONValue] {
        [
            "scoreId": .string(score.id), "userId": .string(score.member.hex), "dateInt": .number(score.day.dateInt),
            "gameId": .string(score.game.uuid), "gameName": .string(score.gameName), "score": .optional(score.score),
            "maxAttempts": .number(score.maxAttempts), "completed": .bool(score.isCompleted),
            "currentStreak": .optional(score.currentStreak), "updatedAt": .int(score.updatedAt.milliseconds),
            "revision": .number(score.revision),
        ]
    }

    package var json: JSONValue { .object(fields) }
}
