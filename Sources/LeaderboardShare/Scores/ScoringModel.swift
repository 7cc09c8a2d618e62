/// The comparison of a game's results, and their points across games.
package enum ScoringModel: UInt8, CaseIterable, Sendable {
    /// Fewer attempts are better: maximum − used + 1 points.
    case lowerAttempts = 1
    case lowerGuesses = 2
    case lowerHints = 3
    /// More is better; capped at 7 points.
    case higher = 4
    /// Faster is better: 7 points below half a minute, one less for each started half minute, at least 1.
    case lowerSeconds = 5

    /// The name used on the command line.
    package var name: String {
        switch self {
        case .lowerAttempts: "lower-attempts"
        case .lowerGuesses: "lower-guesses"
        case .lowerHints: "lower-hints"
        case .higher: "higher"
        case .lowerSeconds: "lower-seconds"
        }
    }

    package init?(name: String) {
        guard let model = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = model
    }

    /// True if it counts attempts, guesses or hints; the game sets a maximum for these.
    package var countsAttempts: Bool { self == .lowerAttempts || self == .lowerGuesses || self == .lowerHints }

    /// The possible values of a completed result. Nobody solves a game in zero attempts or seconds, nor after the last
    /// attempt: without this an empty number would beat every real one. Zero hints may be real.
    ///
    /// - Parameter maxAttempts: 0 for none.
    package func possible(maxAttempts: UInt32) -> ClosedRange<UInt32> {
        let least: UInt32 = isLowerBetter && self != .lowerHints ? 1 : 0
        return least...(countsAttempts && maxAttempts > 0 ? maxAttempts : Limits.scoreValue)
    }

    /// The result that counts: nil if it was not completed or is impossible.
    package func counted(_ score: UInt32?, maxAttempts: UInt32) -> UInt32? {
        score.flatMap { possible(maxAttempts: maxAttempts).contains($0) ? $0 : nil }
    }

    package var isLowerBetter: Bool { self != .higher }

    /// The points of a result; `score` is nil if it was not completed, which gives none.
    package func points(score: UInt32?, maxAttempts: UInt32) -> UInt32 {
        guard let score = counted(score, maxAttempts: maxAttempts) else { return 0 }
        switch self {
        case .lowerAttempts, .lowerGuesses, .lowerHints:
            // Without a maximum there is nothing to count from.
            return score > maxAttempts ? 0 : min(maxAttempts - score + 1, Limits.maxAttempts)
        case .higher: return min(score, 7)
        case .lowerSeconds: return score / 30 >= 6 ? 1 : 7 - score / 30
        }
    }

    /// True if one completed result beats another.
    package func isBetter(_ one: UInt32, than other: UInt32) -> Bool { isLowerBetter ? one < other : one > other }
}
