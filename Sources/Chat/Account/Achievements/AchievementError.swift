/// Why bytes are no achievements, or achievements cannot be kept.
package enum AchievementError: Error, Equatable, Sendable {
    case malformed
    /// More achievements, tiers or bytes than `Limits` allow.
    case tooMany
    /// A category that is empty, too long, or controls a terminal.
    case badCategory
}

extension AchievementError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed: "it cannot be read"
        case .tooMany: "it has too many tiers, or what is unknown of it is too long"
        case .badCategory: "`category` has 1 to \(Limits.categoryBytes) bytes and no control characters"
        }
    }
}
