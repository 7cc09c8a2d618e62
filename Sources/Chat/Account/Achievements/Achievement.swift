package import NodeCore

/// A tiered achievement with its progress.
///
/// Each part is a join: it only ever grows, or has a fixed choice between two values. So any devices' copies can be
/// merged in any order, twice, and in part, and no unlock is ever lost.
package struct Achievement: Hashable, Sendable {
    package let id: AchievementID
    /// A word; one of a later version is kept as it is.
    package private(set) var category: String
    /// What each tier takes.
    package private(set) var thresholds: [AchievementTier: Int64]
    package private(set) var currentValue: Int64
    package private(set) var currentTier: AchievementTier?
    /// When each tier was reached first.
    package private(set) var unlockDates: [AchievementTier: WallTime]
    package private(set) var lastUpdated: WallTime
    /// Fields of a later version: their encoded values by their numbers, passed on as they came.
    package private(set) var laterFields: [UInt64: [UInt8]]

    package init(
        id: AchievementID, category: String, thresholds: [AchievementTier: Int64], currentValue: Int64,
        currentTier: AchievementTier? = nil, unlockDates: [AchievementTier: WallTime] = [:], lastUpdated: WallTime,
        laterFields: [UInt64: [UInt8]] = [:]
    ) throws(AchievementError) {
        guard !category.isEmpty, category.utf8.count <= Limits.categoryBytes,
            !category.unicodeScalars.contains(where: \.isControl)
        else { throw .badCategory }
        guard thresholds.count <= Limits.achievementTiers, unlockDates.count <= Limits.achievementTiers,
            laterFields.count <= Limits.laterFields,
            laterFields.values.allSatisfy({ $0.count <= Limits.laterFieldBytes })
        else { throw .tooMany }
        self.id = id
        self.category = category
        self.thresholds = thresholds
        self.currentValue = currentValue
        self.currentTier = currentTier
        self.unlockDates = unlockDates
        self.lastUpdated = lastUpdated
        self.laterFields = laterFields
    }

    /// The highest tier that was reached, by the progress itself or by the dates.
    package var highestTier: AchievementTier? { [currentTier, unlockDates.keys.max()].compactMap { $0 }.max() }

    /// Joins another copy: higher value and tier, all unlocks with their earliest dates, the later update.
    package mutating func merge(_ other: Achievement) {
        precondition(id == other.id, "invariant: only copies of one achievement are merged")
        // By bytes: texts that only look the same are equal to Swift, and either would stay.
        if category.utf8.lexicographicallyPrecedes(other.category.utf8) { category = other.category }
        thresholds.merge(other.thresholds) { max($0, $1) }
        currentValue = max(currentValue, other.currentValue)
        currentTier = [currentTier, other.currentTier].compactMap { $0 }.max()
        unlockDates.merge(other.unlockDates) { min($0, $1) }
        lastUpdated = max(lastUpdated, other.lastUpdated)
        // Unknown fields have no order of their own: the higher bytes, so that all devices choose alike.
        laterFields.merge(other.laterFields) { $0.lexicographicallyPrecedes($1) ? $1 : $0 }
    }
}
