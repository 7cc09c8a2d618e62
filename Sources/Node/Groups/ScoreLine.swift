import LeaderboardShare
import NodeCore

/// A result as JSON: what `score list` gives, and `score import` takes.
struct ScoreLine {
    private let score: DailyScore

    init(_ score: DailyScore) {
        self.score = score
    }

    var fields: [String: JSONValue] {
        [
            "scoreId": .string(score.id), "userId": .string(score.member.hex), "dateInt": .number(score.day.dateInt),
            "gameId": .string(score.game.uuid), "gameName": .string(score.gameName), "score": .optional(score.score),
            "maxAttempts": .number(score.maxAttempts), "completed": .bool(score.isCompleted),
            "currentStreak": .optional(score.currentStreak), "updatedAt": .int(score.updatedAt.milliseconds),
            "revision": .number(score.revision),
        ]
    }

    var json: JSONValue { .object(fields) }
}
