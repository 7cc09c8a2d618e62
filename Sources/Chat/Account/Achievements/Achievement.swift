package import NodeCore

/// A tiered achievement with its progress.
///
/// Each part is a join: it only grows, or makes a fixed choice between two values. So copies from any devices can be
/// merged in any order, repeatedly, and in part, and no unlock is lost.
package struct Achievement: Hashable, Sendable {
    package let id: AchievementID
    /// One word; one from a later version is kept as it is.
    package private(set) var category: String
    /// The value that each tier requires.
    package private(set) var thresholds: [AchievementTier: Int64]
    package private(set) var currentValue: Int64
    package private(set) var currentTier: AchievementTier?
    /// When each tier was first reached.
    package private(set) var unlockDates: [AchievementTier: WallTime]
    package private(set) var lastUpdated: WallTime
    /// Fields of a later version: their encoded values by number, passed on unchanged.
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

    /// The highest tier reached, by progress or by unlock dates.
    package var highestTier: AchievementTier? { [currentTier, unlockDates.keys.max()].compactMap { $0 }.max() }

    /// Joins another copy: the higher value and tier, all unlocks with their earliest dates, the later update.
    package mutating func merge(_ other: Achievement) {
        precondition(id == other.id, "invariant: only copies of one achievement are merged")
        // Compared by bytes: Swift treats texts that only look the same as equal, and would keep either one.
        if category.utf8.lexicographicallyPrecedes(other.category.utf8) { category = other.category }
        thresholds.merge(other.thresholds) { max($0, $1) }
        currentValue = max(currentValue, other.currentValue)
        currentTier = [currentTier, other.currentTier].compactMap { $0 }.max()
        unlockDates.merge(other.unlockDates) { min($0, $1) }
        lastUpdated = max(lastUpdated, other.lastUpdated)
        // Unknown fields have no known order, so the greater bytes win and all devices choose alike.
        laterFields.merge(other.laterFields) { $0.lexicographicallyPrecedes($1) ? $1 : $0 }
    }
}

/// A tier of an achievement, by its number. Later versions may have more than the six that have names here.
package struct AchievementTier: Hashable, Comparable, Sendable {
    /// From 1.
    package let number: UInt32

    package static let names = ["bronze", "silver", "gold", "platinum", "diamond", "legendary"]

    /// Nil for 0.
    package init?(number: UInt32) {
        guard number > 0 else { return nil }
        self.number = number
    }

    /// A tier by its name, in any case; nil if the name is unknown.
    package init?(name: String) {
        let wanted = name.lowercased()
        guard let index = Self.names.firstIndex(of: wanted) else { return nil }
        number = UInt32(index) + 1
    }

    /// Nil for a tier of a later version.
    package var name: String? { number <= Self.names.count ? Self.names[Int(number) - 1] : nil }

    package static func < (left: AchievementTier, right: AchievementTier) -> Bool { left.number < right.number }
}

/// An achievement, by its UUID.
package struct AchievementID: Identifier16 {
    package let storage: Bytes16

    package init(_ storage: Bytes16) { self.storage = storage }
}

/// Why bytes are not a valid set of achievements, or achievements cannot be stored.
package enum AchievementError: Error, Equatable, Sendable {
    case malformed
    /// More achievements, tiers or bytes than `Limits` allow.
    case tooMany
    /// A category that is empty, too long, or contains control characters.
    case badCategory
}

extension AchievementError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed: "it cannot be read"
        case .tooMany: "it has too many tiers, or its unknown fields are too long"
        case .badCategory: "`category` has 1 to \(Limits.categoryBytes) bytes and no control characters"
        }
    }
}
