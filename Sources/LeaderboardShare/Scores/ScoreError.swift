/// The reasons that a result cannot be posted or accepted.
package enum ScoreError: Error, Equatable, Sendable {
    case malformed
    /// The text of a date is not a day of the calendar.
    case noSuchDay
    /// After tomorrow, in UTC.
    case future
    /// Before the first day that is shown.
    case early
    /// Negative, or above what `Limits` allow.
    case outOfRange
    /// More than `Limits.streakDays`.
    case streakTooLong
    /// A score that no completed result of the game can have.
    case impossible(ImpossibleScore)
    /// A name that is empty, too long, or contains control characters.
    case badName
    /// The result was corrected as often as is allowed.
    case tooManyRevisions
    case unknownGame
    /// The catalogue is full.
    case tooManyGames
}

/// A score outside the range that a game allows.
package struct ImpossibleScore: Equatable, Sendable {
    let game: String
    let score: UInt32
    let possible: ClosedRange<UInt32>

    /// Continues the name of the score: `must be a whole number from 1 to 6 for Wordle, not 7`.
    package var reason: String {
        let range =
            possible.upperBound < Limits.scoreValue || score > possible.upperBound
            ? "from \(possible.lowerBound) to \(possible.upperBound)" : "of at least \(possible.lowerBound)"
        return "must be a whole number \(range) for \(game), not \(score)"
    }
}

extension ScoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed: "not a result"
        case .noSuchDay: "there is no such day: write it as 20250131"
        case .future: "the day lies in the future"
        case .early: "the day lies before 1970"
        case .outOfRange: "the number is negative or too large"
        case .streakTooLong: "a streak has at most \(Limits.streakDays) days"
        case .impossible(let score): "`score` \(score.reason): a failed result has none"
        case .badName: "a name has 1 to 80 characters, not only blanks, and no control characters"
        case .tooManyRevisions: "this result was corrected too often"
        case .tooManyGames: "a group's catalogue has at most \(Limits.games) games"
        case .unknownGame: "this game is not in the group's catalogue"
        }
    }
}
