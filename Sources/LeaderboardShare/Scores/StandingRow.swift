package import Ledger
package import NodeCore

/// A member's row in the standings of a period.
package struct StandingRow: Hashable, Sendable {
    /// From 1; equal points share a rank, and the next one is skipped (1-2-2-4).
    package internal(set) var rank: Int
    package let member: MemberID
    package let points: UInt64
    /// Results in the period, completed or not.
    package let played: Int
    package let completed: Int
    /// The number of times the member had the best result of a game on a day, ties included.
    package let wins: Int
    /// Of the games with completed results, in the catalogue's order.
    package let averages: [GameAverage]
    /// Consecutive days with a completed result, up to today, or to yesterday while today is open.
    package let currentStreak: Int
    /// The longest ever.
    package let bestStreak: Int
    /// The last day of all time, not only of the period.
    package let lastPlayed: Day?
    package let hasPlayedToday: Bool
    /// Results in the period that arrived late.
    package let late: Int

    /// The mean of a game's raw completed results: attempts and seconds have none together.
    package struct GameAverage: Hashable, Sendable {
        package let game: GameID
        package let completed: Int
        package let average: Double
    }

    /// The mean if all completed results are of one game.
    package var average: Double? { averages.count == 1 ? averages[0].average : nil }
}

/// One member's result of one game on one day.
package struct DayResult: Hashable, Sendable {
    package let member: MemberID
    package let game: GameID
    /// Nil if it was not completed.
    package let score: UInt32?
    package let points: UInt32
    package let arrival: ScoreArrival
    /// True if it is the best completed result of that day, ties included.
    package let isWinner: Bool
}

/// The points of all members on one day.
package struct DayPoints: Hashable, Sendable {
    package let day: Day
    /// In the order of the requested members.
    package let points: [UInt64]
}

/// The points of all members in one week.
package struct WeekPoints: Hashable, Sendable {
    /// The Monday of the week.
    package let week: Day
    /// In the order of the requested members.
    package let points: [UInt64]
}
