import JSONLines
import LeaderboardShare
import NodeCore

/// A result as a line of `score import`: `dateInt`, `gameId` or `gameName`, `score` or null, and what else there is.
struct ScoreInput {
    package let day: Day
    package let game: GameID?
    let gameName: String
    package let score: UInt32?
    package let maxAttempts: UInt32?
    let streak: UInt32?
    /// Whose it says that it is.
    let userID: String?

    init(json bytes: [UInt8]) throws(LineError) {
        guard let value = JSONValue(json: bytes), case .object = value else {
            throw LineError("is no JSON object")
        }
        guard let date = value["dateInt"]?.integer, let number = Int(exactly: date), let day = Day(dateInt: number)
        else { throw LineError("`dateInt` must be a day such as 20250131") }
        self.day = day
        if let text = value["gameId"]?.text {
            guard let id = GameID(uuid: text) else { throw LineError("`gameId` must be a UUID") }
            game = id
        } else {
            game = nil
        }
        gameName = value["gameName"]?.text ?? ""
        guard game != nil || !gameName.isEmpty else { throw LineError("lacks `gameId` and `gameName`") }
        score = try Self.number(value, "score")
        maxAttempts = try Self.number(value, "maxAttempts")
        streak = try Self.number(value, "currentStreak")
        userID = value["userId"]?.text
        if let completed = value["completed"]?.boolean, completed != (score != nil) {
            throw LineError("a completed result has a `score`, a failed one has null")
        }
    }

    private static func number(_ value: JSONValue, _ name: String) throws(LineError) -> UInt32? {
        guard let field = value[name], field != .null else { return nil }
        guard let integer = field.integer, let number = UInt32(exactly: integer) else {
            throw LineError("`\(name)` must be a whole number from 0")
        }
        return number
    }

    /// Whether a held result says the same already.
    func says(_ held: DailyScore, of game: Game) -> Bool {
        held.score == score && held.maxAttempts == maxAttempts ?? game.maxAttempts && held.currentStreak == streak
    }
}
