/// Why bytes are no achievements, or achievements cannot be kept.
package enum AchievementError: Error, Equatable, Sendable {
    case malformed
    /// More achievements, tiers or bytes than `Limits` allow.
    case tooMany
    /// A category that is empty, too long, or controls a terminal.
    case badCategory
}
