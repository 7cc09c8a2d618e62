extension Limits {
    /// Achievements of one account, of all apps that write them: with their dates they fit one blob.
    package static let achievements = 1_000
    /// Tiers of one achievement: six are known, later versions may have more.
    package static let achievementTiers = 32
    /// An achievement's category: a short word.
    package static let categoryBytes = 64
    /// Fields of later versions that are carried along, for each achievement.
    package static let laterFields = 16
    package static let laterFieldBytes = 512
    /// Categories of one summary: it stands in a record, not in a blob.
    package static let summaryCategories = 32
    /// The encoded payload: one blob, with what sealing adds.
    package static let achievementPayloadBytes = 262_000
    /// Payload and summary that stand in the record itself: its limit is 4 KiB with header and sealing.
    static let achievementInlineBytes = 3_500
}
