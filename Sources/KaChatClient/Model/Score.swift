/// How points come from a result.
public enum ScoringModel: String, Hashable, Sendable, Codable {
    case lowerAttempts = "lower-attempts"
    case lowerGuesses = "lower-guesses"
    case lowerHints = "lower-hints"
    case higher
    case lowerSeconds = "lower-seconds"
}

/// A game of a group's catalogue.
public struct Game: Hashable, Sendable {
    /// A UUID; the same name is the same game in all groups.
    public let gameId: String
    public let name: String
    /// Nil for one of a later version.
    public let model: ScoringModel?
    public let maxAttempts: Int?
}

/// A result that is to be posted: of a game and a score, or of the text that the game put on the clipboard.
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

/// One member's result of one game on one day.
public struct Score: Hashable, Sendable {
    /// yyyymmdd in UTC.
    public let dateInt: Int
    public let gameId: String
    public let gameName: String?
    /// Nil: not completed.
    public let score: Int?
    public let maxAttempts: Int?
    public let completed: Bool
    public let currentStreak: Int?
    /// The member.
    public let userId: String?
    /// The member's name, in lists.
    public let name: String?
    /// Where it was posted; in the answer to posting.
    public let groupId: String?
    public let points: Int?
}

/// Over which days standings are counted.
public enum Period: String, Hashable, Sendable, Codable {
    case today
    case yesterday
    case week
    case lastWeek = "last-week"
    case month
    case all
}

/// Who stands where.
public struct Leaderboard: Hashable, Sendable {
    public let groupId: String
    public let title: String
    /// Nil: all games.
    public let game: String?
    /// yyyymmdd in UTC, both included; nil: all time.
    public let from: Int?
    public let to: Int?
    public let today: Int
    /// Best first.
    public let rows: [Standing]
}

/// A member's place.
public struct Standing: Hashable, Sendable {
    /// From 1; equals share one.
    public let rank: Int
    public let memberId: String
    public let name: String
    public let me: Bool
    public let points: Int
    public let played: Int
    public let completed: Int
    public let wins: Int
    public let average: Double?
    public let currentStreak: Int
    public let bestStreak: Int
    /// yyyymmdd in UTC.
    public let lastPlayed: Int?
    public let playedToday: Bool
}

/// All results of a day.
public struct LeaderboardDay: Hashable, Sendable {
    /// yyyymmdd in UTC.
    public let date: Int
    public let results: [DayResult]
}

/// One result of a day.
public struct DayResult: Hashable, Sendable {
    public let memberId: String
    public let name: String
    public let me: Bool
    public let gameId: String
    public let gameName: String?
    /// Nil: not completed.
    public let score: Int?
    public let points: Int
    /// It came more than 48 hours after its day.
    public let late: Bool
    public let winner: Bool
}

/// Points by week.
public struct LeaderboardHistory: Hashable, Sendable {
    public let members: [HistoryMember]
    public let weeks: [HistoryWeek]
}

public struct HistoryMember: Hashable, Sendable {
    public let memberId: String
    public let name: String
}

public struct HistoryWeek: Hashable, Sendable {
    /// Its Monday, yyyymmdd in UTC.
    public let week: Int
    /// In the order of the members.
    public let points: [Int]
}

/// The achievements of one category, in numbers.
public struct AchievementCategory: Hashable, Sendable {
    public let category: String
    public let count: Int
    public let unlocked: Int
    public let unlockedTiers: Int
    /// `bronze` to `legendary`, or a number.
    public let highestTier: String?
}

/// Something that an app counts for its user.
public struct Achievement: Hashable, Sendable {
    /// A UUID.
    public let id: String
    public let category: String
    public let currentValue: Int
    public let currentTier: String?
}

/// An achievement as the app knows it.
public struct NewAchievement: Hashable, Sendable {
    /// A UUID.
    public var id: String
    public var category: String
    public var currentValue: Int
    /// `bronze`, `silver`, `gold`, `platinum`, `diamond`, `legendary`, or a number from 1; nil: none is reached.
    public var currentTier: String?
    /// What each tier takes.
    public var thresholds: [String: Int]
    /// When each tier was reached, in milliseconds since 1970.
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

/// What adding achievements did.
public struct AchievementsAdded: Hashable, Sendable {
    /// Whether anything was news.
    public let changed: Bool
    /// How many the account holds now.
    public let held: Int
}
