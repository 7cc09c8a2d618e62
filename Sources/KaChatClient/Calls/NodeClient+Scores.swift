import JSONLines
public import NodeModel

/// Games, results, leaderboards, achievements (scopes `groups:read`, `groups:write`).
extension NodeClient {
    public func games(of group: String) async throws(ClientError) -> [Game] {
        try await list(Call(.get, "groups", group, "games"))
    }

    /// Adds or edits a game in a group's catalogue (owner, admins).
    @discardableResult
    public func addGame(
        _ name: String, model: ScoringModel, maxAttempts: Int? = nil, gameId: String? = nil, to group: String
    ) async throws(ClientError) -> Game {
        let call = Call(.post, "groups", group, "games").field("name", name).field("model", model.rawValue)
            .field("maxAttempts", maxAttempts).field("id", gameId)
        return try await object(call)
    }

    /// Posts the user's result for a day, replacing an earlier one.
    ///
    /// - Throws: `usage` for a game that is not in the catalogue or a day beyond tomorrow.
    @discardableResult
    public func post(_ score: NewScore, to group: String) async throws(ClientError) -> Score {
        try await object(score.call(Call(.post, "groups", group, "scores")))
    }

    /// Posts a result in each group that has the game.
    @discardableResult
    public func postEverywhere(_ score: NewScore) async throws(ClientError) -> [Score] {
        try await list(score.call(Call(.post, "scores")))
    }

    /// Withdraws the user's result for a day.
    ///
    /// - Parameter date: yyyymmdd in UTC; nil: today.
    public func removeScore(of game: String, date: Int? = nil, from group: String) async throws(ClientError) {
        try await callForNothing(Call(.delete, "groups", group, "scores").query("game", game).query("date", date))
    }

    /// Results.
    ///
    /// - Parameters:
    ///   - member: nil for the user's own results.
    ///   - all: results of all members.
    ///   - from: yyyymmdd in UTC; both `from` and `to` are included.
    public func scores(
        in group: String, member: String? = nil, all: Bool = false, game: String? = nil, from: Int? = nil,
        to: Int? = nil
    ) async throws(ClientError) -> [Score] {
        let call = Call(.get, "groups", group, "scores").query("member", member).query("all", all)
            .query("game", game).query("from", from).query("to", to)
        return try await list(call)
    }

    // MARK: Standings

    /// The standings of a period.
    ///
    /// - Parameter game: nil for all games.
    public func leaderboard(
        of group: String, period: Period = .week, game: String? = nil
    ) async throws(ClientError) -> Leaderboard {
        let call = Call(.get, "groups", group, "leaderboard").query("period", period.rawValue).query("game", game)
        return try await object(call)
    }

    /// Each member's result on a day, and the winner.
    ///
    /// - Parameter date: yyyymmdd in UTC.
    public func leaderboard(
        of group: String, onDay date: Int, game: String? = nil
    ) async throws(ClientError) -> LeaderboardDay {
        let call = Call(.get, "groups", group, "leaderboard", "days", String(date)).query("game", game)
        return try await object(call)
    }

    /// Points per week and member, for plots.
    public func leaderboardHistory(
        of group: String, game: String? = nil
    ) async throws(ClientError) -> LeaderboardHistory {
        try await object(
            Call(.get, "groups", group, "leaderboard", "history").query("game", game))
    }

    /// Points per day and member of this month, or of at most 366 days: yyyymmdd in UTC, both included.
    public func leaderboardRace(
        of group: String, game: String? = nil, from: Int? = nil, to: Int? = nil
    ) async throws(ClientError) -> LeaderboardRace {
        let call = Call(.get, "groups", group, "leaderboard", "race").query("game", game)
        return try await object(call.query("from", from).query("to", to))
    }

    // MARK: Achievements

    public func achievementCategories() async throws(ClientError) -> [AchievementCategory] {
        try await list(Call(.get, "achievements"))
    }

    public func achievements(in category: String) async throws(ClientError) -> [Achievement] {
        try await list(Call(.get, "achievements").query("category", category))
    }

    /// Merges achievements into the account's: the greater value and tier count, and the earliest date of each unlock.
    /// Progress never goes backwards, and repeating it changes nothing.
    ///
    /// - Parameter achievements: at most 1,000.
    /// - Throws: `bad-input`; then nothing is merged.
    @discardableResult
    public func add(_ achievements: [NewAchievement]) async throws(ClientError) -> AchievementsAdded {
        try await object(
            Call(.post, "achievements").list(achievements.map { GivenAchievement($0).json }))
    }
}

extension NewScore {
    fileprivate func call(_ call: Call) -> Call {
        call.field("game", game).field("score", score).field("failed", score == nil && shareText == nil ? true : nil)
            .field("maxAttempts", maxAttempts).field("date", date).field("streak", currentStreak)
            .field("shareText", shareText)
    }
}

extension GivenAchievement {
    fileprivate init(_ new: NewAchievement) {
        self.init()
        id = new.id
        category = new.category
        requirements = new.thresholds.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { tier, threshold in
            var requirement = GivenRequirement()
            (requirement.tier, requirement.threshold) = (.name(tier), threshold)
            return requirement
        }
        progress.currentValue = new.currentValue
        progress.currentTier = new.currentTier.map { .name($0) }
        progress.lastUpdated = .milliseconds(new.lastUpdated)
        var unlocks = GivenUnlocks()
        for (tier, time) in new.unlockedAt.sorted(by: { $0.key < $1.key }) {
            unlocks.add(.name(tier), .milliseconds(time))
        }
        progress.tierUnlockDates = unlocks
    }
}

/// A result to post: a game and a score, or the text that the game copied to the clipboard.
public struct NewScore: Hashable, Sendable {
    /// Name or UUID.
    public var game: String?
    /// Nil: not completed.
    public var score: Int?
    public var maxAttempts: Int?
    /// yyyymmdd in UTC; nil: today.
    public var date: Int?
    public var currentStreak: Int?
    public var shareText: String?

    public init(game: String, score: Int?, maxAttempts: Int? = nil, date: Int? = nil, currentStreak: Int? = nil) {
        self.game = game
        self.score = score
        self.maxAttempts = maxAttempts
        self.date = date
        self.currentStreak = currentStreak
    }

    /// - Parameter shareText: such as `Wordle 1,234 3/6` and its squares.
    public init(shareText: String, date: Int? = nil) {
        self.shareText = shareText
        self.date = date
    }
}

/// The days that standings cover.
public enum Period: String, Hashable, Sendable, Codable {
    case today
    case yesterday
    case week
    case lastWeek = "last-week"
    case month
    case all
}

/// An achievement as the app knows it.
public struct NewAchievement: Hashable, Sendable {
    /// A UUID.
    public var id: String
    public var category: String
    public var currentValue: Int
    /// `bronze`, `silver`, `gold`, `platinum`, `diamond`, `legendary`, or a number from 1; nil: none reached.
    public var currentTier: String?
    /// The value that each tier requires.
    public var thresholds: [String: Int]
    /// The time each tier was reached, in milliseconds since 1970.
    public var unlockedAt: [String: Int]
    /// In milliseconds since 1970.
    public var lastUpdated: Int

    public init(
        id: String, category: String, currentValue: Int, currentTier: String? = nil, thresholds: [String: Int] = [:],
        unlockedAt: [String: Int] = [:], lastUpdated: Int
    ) {
        self.id = id
        self.category = category
        self.currentValue = currentValue
        self.currentTier = currentTier
        self.thresholds = thresholds
        self.unlockedAt = unlockedAt
        self.lastUpdated = lastUpdated
    }
}
