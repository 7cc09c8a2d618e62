/// The group and game of standings.
package struct BoardScope: Hashable, Sendable {
    package var groupId = ""
    package var title = ""
    /// `joined`; `joining` while the group's records are not here; `ended` for a former member.
    package var state = "joined"
    /// Why results may be missing; nil if none are, as far as is known.
    package var lack: String?
    /// Nil for all games.
    package var gameId: String?
    package var game: String?

    package init() {}

    fileprivate mutating func fields(_ field: inout FieldCoder) {
        field("groupId", &groupId)
        field("title", &title)
        field("state", &state)
        field.optional("lack", &lack)
        field("gameId", &gameId)
        field("game", &game)
    }
}

/// The standings of a group.
public struct Leaderboard: Model, Hashable, Sendable {
    package var scope = BoardScope()
    public var groupId: String { scope.groupId }
    public var title: String { scope.title }
    /// Nil for all games.
    public var game: String? { scope.game }
    /// Why results may be missing here, such as nobody in reach; nil if none are, as far as is known.
    public var lack: String? { scope.lack }
    /// yyyymmdd in UTC, both included; nil for all time.
    public var from: Int?
    public var to: Int?
    public var today = 0
    /// Best first.
    public var rows: [Standing] = []
    /// People with results here who are not on the board: they were removed, left, or are suspended.
    public var notShown = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        scope.fields(&field)
        field("from", &from, .day)
        field("to", &to, .day)
        field("today", &today, .day)
        field("rows", &rows)
        field("notShown", &notShown)
    }
}

/// A member's place.
public struct Standing: Model, Hashable, Sendable {
    /// From 1; equal members share a rank.
    public var rank = 0
    public var memberId = ""
    public var name = ""
    public var me = false
    public var points = 0
    /// Results in the period, completed or not.
    public var played = 0
    public var completed = 0
    /// Times the member had the best result of a game on a day, alone or shared.
    public var wins = 0
    /// The mean of the completed results themselves, not of their points; nil if there are none, or of several games.
    public var average: Double?
    /// The same of each game with completed results.
    public var averages: [GameAverage] = []
    /// Days in a row with a completed result, up to today, or to yesterday while today is open.
    public var currentStreak = 0
    /// The longest ever.
    public var bestStreak = 0
    /// yyyymmdd in UTC, not limited to the period.
    public var lastPlayed: Int?
    public var playedToday = false
    /// Results of the period that came more than 48 hours after their day.
    public var late = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("rank", &rank)
        field("memberId", &memberId)
        field("name", &name)
        field("me", &me)
        field("points", &points)
        field("played", &played)
        field("completed", &completed)
        field("wins", &wins)
        field("average", &average)
        field("currentStreak", &currentStreak)
        field("bestStreak", &bestStreak)
        field("lastPlayed", &lastPlayed, .day)
        field("playedToday", &playedToday)
        field("late", &late)
        field("averages", &averages)
    }
}

/// The mean of a member's completed results of one game.
public struct GameAverage: Model, Hashable, Sendable {
    public var gameId = ""
    public var gameName = ""
    public var completed = 0
    public var average = 0.0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("gameId", &gameId)
        field("gameName", &gameName)
        field("completed", &completed)
        field("average", &average)
    }
}

/// All results of a day.
public struct LeaderboardDay: Model, Hashable, Sendable {
    package var scope = BoardScope()
    /// As on the board.
    public var lack: String? { scope.lack }
    /// yyyymmdd in UTC.
    public var date = 0
    public var results: [DayResult] = []
    /// The members with the most points of the day.
    public var winners: [BoardMember] = []
    /// As on the board.
    public var notShown = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        scope.fields(&field)
        field("date", &date, .day)
        field("results", &results)
        field("winners", &winners)
        field("notShown", &notShown)
    }
}

/// One result of a day.
public struct DayResult: Model, Hashable, Sendable {
    public var memberId = ""
    public var name = ""
    public var me = false
    public var gameId = ""
    public var gameName: String?
    /// Nil if not completed.
    public var score: Int?
    public var points = 0
    /// True if it came more than 48 hours after its day.
    public var late = false
    /// True if it was written long after a day that nobody here saw: history that was imported.
    public var imported = false
    /// True for the best completed result of the game on that day, alone or shared.
    public var winner = false

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("memberId", &memberId)
        field("name", &name)
        field("gameId", &gameId)
        field("gameName", &gameName)
        field("score", &score)
        var isCompleted = score != nil
        field("completed", &isCompleted)
        field("points", &points)
        field("late", &late)
        field("winner", &winner)
        field("me", &me)
        field("imported", &imported)
    }
}

public struct BoardMember: Model, Hashable, Sendable {
    public var memberId = ""
    public var name = ""

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("memberId", &memberId)
        field("name", &name)
    }
}

/// Points by week.
public struct LeaderboardHistory: Model, Hashable, Sendable {
    package var scope = BoardScope()
    public var members: [BoardMember] = []
    public var weeks: [HistoryWeek] = []

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        scope.fields(&field)
        field("members", &members)
        field("weeks", &weeks)
    }
}

public struct HistoryWeek: Model, Hashable, Sendable {
    /// Its Monday, yyyymmdd in UTC.
    public var week = 0
    /// In the order of the members.
    public var points: [Int] = []

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("week", &week, .day)
        field("points", &points)
    }
}

/// Points by day.
public struct LeaderboardRace: Model, Hashable, Sendable {
    package var scope = BoardScope()
    /// yyyymmdd in UTC, both included.
    public var from = 0
    public var to = 0
    public var members: [BoardMember] = []
    /// Days with a result, ascending.
    public var days: [RaceDay] = []

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        scope.fields(&field)
        field("from", &from, .day)
        field("to", &to, .day)
        field("members", &members)
        field("days", &days)
    }
}

public struct RaceDay: Model, Hashable, Sendable {
    /// yyyymmdd in UTC.
    public var date = 0
    /// In the order of the members.
    public var points: [Int] = []

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("date", &date, .day)
        field("points", &points)
    }
}
