package import NodeCore
import SyncState

/// All achievements of an account, as one device's register holds them or as several of them merged say.
package struct AchievementSet: Hashable, Sendable {
    package static let formatVersion: UInt64 = 1

    /// The highest version of a writer that had a part in it.
    package private(set) var version: UInt64
    private var byID: [AchievementID: Achievement]

    package init(_ achievements: some Sequence<Achievement> = [], version: UInt64 = AchievementSet.formatVersion) {
        self.version = version
        byID = [:]
        for achievement in achievements { merge(achievement) }
    }

    /// Ascending by id.
    package var achievements: [Achievement] { byID.values.sorted { $0.id < $1.id } }

    package var count: Int { byID.count }

    package subscript(id: AchievementID) -> Achievement? { byID[id] }

    package mutating func merge(_ achievement: Achievement) {
        if byID[achievement.id]?.merge(achievement) == nil { byID[achievement.id] = achievement }
    }

    package mutating func merge(_ other: AchievementSet) {
        version = max(version, other.version)
        for achievement in other.byID.values { merge(achievement) }
    }

    /// The later update of all; nil of none.
    package var lastUpdated: WallTime? { byID.values.map(\.lastUpdated).max() }

    /// By category, ascending by its bytes.
    package var summary: [CategorySummary] {
        var all: [ExactText: CategorySummary] = [:]
        for achievement in byID.values {
            let category = ExactText(achievement.category)
            var summary = all[category] ?? CategorySummary(category: achievement.category)
            summary.count += 1
            if let tier = achievement.highestTier {
                summary.unlocked += 1
                summary.highestTier = max(summary.highestTier ?? tier, tier)
            }
            summary.unlockedTiers += achievement.unlockDates.count
            summary.lastUpdated = max(summary.lastUpdated, achievement.lastUpdated)
            all[category] = summary
        }
        return all.values.sorted { $0.category.utf8.lexicographicallyPrecedes($1.category.utf8) }
    }
}

extension AchievementSet: Joinable {
    package func merged(with other: AchievementSet) -> AchievementSet {
        var merged = self
        merged.merge(other)
        return merged
    }
}
