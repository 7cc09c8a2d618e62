/// The rule that turns a result into points.
public enum ScoringModel: String, Word, Hashable, Sendable, Codable, CaseIterable {
    case lowerAttempts = "lower-attempts"
    case lowerGuesses = "lower-guesses"
    case lowerHints = "lower-hints"
    case higher
    case lowerSeconds = "lower-seconds"
}

/// A game in a group's catalogue.
public struct Game: Model, Hashable, Sendable {
    /// A UUID; the same name is the same game in all groups.
    public var gameId = ""
    public var name = ""
    /// Nil for a model of a later version.
    public var model: ScoringModel?
    /// 0 if the game has no such limit.
    public var maxAttempts: Int?
    /// From 1; one above the highest revision known to its writer.
    package var revision: Int?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("gameId", &gameId)
        field("name", &name)
        field.known("model", &model)
        field.optional("maxAttempts", &maxAttempts)
        field.optional("revision", &revision)
    }
}

/// One member's result of one game on one day.
public struct Score: Model, Hashable, Sendable {
    /// yyyymmdd in UTC.
    public var dateInt = 0
    public var gameId = ""
    public var gameName: String?
    /// Nil if not completed.
    public var score: Int?
    /// 0 if the game has no such limit.
    public var maxAttempts: Int?
    public var completed = false
    public var currentStreak: Int?
    /// The member.
    public var userId: String?
    /// The member's name, in lists.
    public var name: String?
    /// Its group; in the answer to posting.
    public var groupId: String?
    public var points: Int?

    package var scoreId: String?
    /// In milliseconds since 1970, by the writing device's clock.
    package var updatedAt: Int?
    /// From 1; one above the highest revision known to its writer.
    package var revision: Int?
    /// The group's title; in the answer to posting.
    package var group: String?
    /// True if it came more than 48 hours after its day; in lists.
    package var isLate: Bool?
    /// True if it was written long after a day that nobody here saw; in lists.
    package var isImported: Bool?
    /// True if its game allows no such score, so that it counts as not completed; in lists.
    package var isImpossible: Bool?
    /// Names of members that have it, and of those that do not; in lists of unsent results.
    package var heldBy: [String]?
    package var missing: [String]?
    /// True in the answer to withdrawing it.
    package var isRemoved: Bool?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field.optional("scoreId", &scoreId)
        field.optional("userId", &userId)
        field("dateInt", &dateInt, .day)
        field("gameId", &gameId)
        field.optional("gameName", &gameName)
        field("score", &score)
        field.optional("maxAttempts", &maxAttempts)
        field("completed", &completed)
        field("currentStreak", &currentStreak)
        field.optional("updatedAt", &updatedAt, .time)
        field.optional("revision", &revision)
        field.optional("name", &name)
        field.optional("late", &isLate)
        field.optional("imported", &isImported)
        field.optional("impossible", &isImpossible)
        field.optional("heldBy", &heldBy)
        field.optional("missing", &missing)
        field.optional("groupId", &groupId)
        field.optional("group", &group)
        field.optional("points", &points)
        field.optional("removed", &isRemoved)
    }
}

/// A result of the user's own, as a line of an import.
package struct ScoreLine: Model {
    /// yyyymmdd in UTC.
    package var dateInt = 0
    /// A UUID; without it, `gameName` names the game.
    package var gameId: String?
    package var gameName: String?
    /// Nil if not completed.
    package var score: Int?
    package var maxAttempts: Int?
    package var currentStreak: Int?
    /// The member it claims to belong to; results of other members are refused.
    package var userId: String?
    /// False if and only if there is no score.
    package var completed: Bool?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("dateInt", &dateInt, .day)
        field.optional("gameId", &gameId)
        field.optional("gameName", &gameName)
        field.optional("score", &score, .upTo(Limits.score))
        field.optional("maxAttempts", &maxAttempts, .upTo(Limits.maxAttempts))
        field.optional("currentStreak", &currentStreak, .upTo(Limits.streakDays))
        field.optional("userId", &userId)
        field.optional("completed", &completed)
    }
}

/// The outcome of an import of results.
public struct ImportedScores: Model, Hashable, Sendable {
    public var lines = 0
    public var added = 0
    public var updated = 0
    public var known = 0
    public var refused = 0
    public var gamesAdded = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("lines", &lines)
        field("added", &added)
        field("updated", &updated)
        field("known", &known)
        field("refused", &refused)
        field("gamesAdded", &gamesAdded)
    }
}
