/// The reasons that a result cannot be posted or accepted.
package enum ScoreError: Error, Equatable, Sendable {
    case malformed
    /// The text of a date is not a day of the calendar.
    case noSuchDay
    /// After tomorrow, in UTC.
    case future
    /// Negative, or above what `Limits` allow.
    case outOfRange
    /// A completed result needs a value, and one that was not completed has none.
    case inconsistent
    /// Fewer attempts than a completed result can have.
    case noAttempts
    /// A name that is empty, too long, or contains control characters.
    case badName
    /// The result was corrected as often as is allowed.
    case tooManyRevisions
    case unknownGame
    /// The catalogue is full.
    case tooManyGames
}

extension ScoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed: "not a result"
        case .noSuchDay: "there is no such day: write it as 20250131"
        case .future: "the day lies in the future"
        case .outOfRange: "the number is negative or too large"
        case .inconsistent: "a completed result needs a score, a failed one has none"
        case .noAttempts: "a completed result takes at least 1 attempt: a failed one has no score"
        case .badName: "a name has 1 to 80 characters and no control characters"
        case .tooManyRevisions: "this result was corrected too often"
        case .tooManyGames: "a group's catalogue has at most \(Limits.games) games"
        case .unknownGame: "this game is not in the group's catalogue"
        }
    }
}
