package import NodeCore
import SyncState

/// All achievements of an account, from one device's register or merged from several.
package struct AchievementSet: Hashable, Sendable {
    package static let formatVersion: UInt64 = 1

    /// The highest version of any writer that contributed to it.
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

    package mutating func merge(_ achievement: Achievement) {
        if byID[achievement.id]?.merge(achievement) == nil { byID[achievement.id] = achievement }
    }

    package mutating func merge(_ other: AchievementSet) {
        version = max(version, other.version)
        for achievement in other.byID.values { merge(achievement) }
    }

    /// The latest update of all; nil if there are none.
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

/// `[version, [achievement, …]]`, ascending by id. An achievement is a map: 0 id, 1 category, 2 thresholds, 3 current
/// value, 4 current tier (absent without one), 5 unlock dates, 6 last updated; higher keys are a later version's and
/// are carried as they came. Thresholds and dates are flat arrays of tier and value, ascending by tier.
extension AchievementSet {
    private static let knownKeys: UInt64 = 7

    /// Throws if there are more than a device may write; a merge of sets that were read can have that many.
    package func encoded() throws(AchievementError) -> [UInt8] {
        guard count <= Limits.achievements else { throw .tooMany }
        var writer = CBORWriter(capacity: count * 96)
        writer.writeArray(2)
        writer.write(version)
        writer.writeArray(count)
        for achievement in achievements { Self.write(achievement, to: &writer) }
        guard writer.bytes.count <= Limits.achievementPayloadBytes else { throw .tooMany }
        return writer.bytes
    }

    package init(encoded: [UInt8]) throws(AchievementError) {
        guard encoded.count <= Limits.achievementPayloadBytes else { throw .tooMany }
        do {
            var reader = try CBORReader(encoded, array: 2)
            let version = try reader.readUInt()
            guard version >= Self.formatVersion else { throw AchievementError.malformed }
            let count = try reader.readArray(max: Limits.achievements)
            var all: [Achievement] = []
            for _ in 0..<count {
                let achievement = try Self.readAchievement(&reader)
                if let last = all.last, last.id >= achievement.id { throw AchievementError.malformed }
                all.append(achievement)
            }
            try reader.finish()
            self.init(all, version: version)
        } catch let error as AchievementError {
            throw error
        } catch {
            throw .malformed
        }
    }

    private static func write(_ achievement: Achievement, to writer: inout CBORWriter) {
        writer.writeMap((achievement.currentTier == nil ? 6 : 7) + achievement.laterFields.count)
        writer.write(0, achievement.id, 1, achievement.category, 2)
        write(achievement.thresholds, to: &writer)
        writer.write(3, achievement.currentValue)
        if let tier = achievement.currentTier { writer.write(4, tier.number) }
        writer.write(5)
        write(achievement.unlockDates.mapValues(\.milliseconds), to: &writer)
        writer.write(6, achievement.lastUpdated)
        for key in achievement.laterFields.keys.sorted() {
            writer.write(key)
            writer.raw(achievement.laterFields[key] ?? [])
        }
    }

    private static func write(_ values: [AchievementTier: Int64], to writer: inout CBORWriter) {
        writer.writeArray(values.count * 2)
        for (tier, value) in values.sorted(by: { $0.key < $1.key }) {
            writer.write(tier.number, value)
        }
    }

    private static func readAchievement(_ reader: inout CBORReader) throws -> Achievement {
        let count = try reader.readMap(max: Int(knownKeys) + Limits.laterFields)
        var key: UInt64?
        var id: AchievementID?
        var category = ""
        var thresholds: [AchievementTier: Int64]?
        var value: Int64?
        var tier: AchievementTier?
        var dates: [AchievementTier: Int64]?
        var updated: Int64?
        var later: [UInt64: [UInt8]] = [:]
        for _ in 0..<count {
            let next = try reader.readKey(after: key)
            key = next
            switch next {
            case 0: id = try reader.read(AchievementID.self)
            case 1: category = try reader.readText(max: Limits.categoryBytes)
            case 2: thresholds = try readValues(&reader)
            case 3: value = try reader.readInt()
            case 4: tier = try readTier(&reader)
            case 5: dates = try readValues(&reader)
            case 6: updated = try reader.readInt()
            default:
                let start = reader.position
                try reader.skip()
                later[next] = Array(reader.bytes[start..<reader.position])
            }
        }
        guard let id, let thresholds, let value, let dates, let updated else { throw AchievementError.malformed }
        return try Achievement(
            id: id, category: category, thresholds: thresholds, currentValue: value, currentTier: tier,
            unlockDates: dates.mapValues { WallTime(milliseconds: $0) },
            lastUpdated: WallTime(milliseconds: updated), laterFields: later)
    }

    private static func readTier(_ reader: inout CBORReader) throws -> AchievementTier {
        guard let number = UInt32(exactly: try reader.readUInt()), let tier = AchievementTier(number: number) else {
            throw AchievementError.malformed
        }
        return tier
    }

    private static func readValues(_ reader: inout CBORReader) throws -> [AchievementTier: Int64] {
        let count = try reader.readArray(max: Limits.achievementTiers * 2)
        guard count % 2 == 0 else { throw AchievementError.malformed }
        var values: [AchievementTier: Int64] = [:]
        var last: AchievementTier?
        for _ in 0..<count / 2 {
            let tier = try readTier(&reader)
            if let last, last >= tier { throw AchievementError.malformed }
            last = tier
            values[tier] = try reader.readInt()
        }
        return values
    }
}

/// A category's summary for lists. It is stored beside the payload, which then need not be read.
package struct CategorySummary: Hashable, Sendable {
    package let category: String
    /// Number of achievements.
    package internal(set) var count = 0
    /// Number of achievements with a tier reached.
    package internal(set) var unlocked = 0
    /// Number of tiers reached in all achievements.
    package internal(set) var unlockedTiers = 0
    package internal(set) var highestTier: AchievementTier?
    package internal(set) var lastUpdated = WallTime(milliseconds: .min)

    init(category: String) { self.category = category }

    /// An array of `[category, count, unlocked, unlockedTiers, highestTier or 0, lastUpdated]`; if they do not fit a
    /// record, only the first categories.
    package static func encode(_ summaries: [CategorySummary]) -> [UInt8] {
        var writer = CBORWriter(capacity: 512)
        let kept = summaries.prefix(Limits.summaryCategories)
        writer.writeArray(kept.count)
        for summary in kept {
            writer.write(
                array: summary.category, summary.count, summary.unlocked, summary.unlockedTiers,
                summary.highestTier?.number ?? 0, summary.lastUpdated)
        }
        return writer.bytes
    }
}
