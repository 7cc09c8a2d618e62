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

    public init(
        game: String, score: Int?, maxAttempts: Int? = nil, date: Int? = nil, currentStreak: Int? = nil
    ) {
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
