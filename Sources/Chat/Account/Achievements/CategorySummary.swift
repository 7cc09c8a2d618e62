package import NodeCore

/// What a list shows of one category. It stands beside the payload, which then need not be read.
package struct CategorySummary: Hashable, Sendable {
    package let category: String
    /// Achievements in it.
    package internal(set) var count = 0
    /// Those with a tier reached.
    package internal(set) var unlocked = 0
    /// Tiers reached, of all together.
    package internal(set) var unlockedTiers = 0
    package internal(set) var highestTier: AchievementTier?
    package internal(set) var lastUpdated = WallTime(milliseconds: .min)

    init(category: String) { self.category = category }

    /// An array of `[category, count, unlocked, unlockedTiers, highestTier or 0, lastUpdated]`; the first categories
    /// only if there are too many for a record.
    package static func encode(_ summaries: [CategorySummary]) -> [UInt8] {
        var writer = CBORWriter(capacity: 512)
        let kept = summaries.prefix(Limits.summaryCategories)
        writer.writeArray(kept.count)
        for summary in kept {
            writer.writeArray(6)
            writer.write(text: summary.category)
            writer.write(UInt64(summary.count))
            writer.write(UInt64(summary.unlocked))
            writer.write(UInt64(summary.unlockedTiers))
            writer.write(UInt64(summary.highestTier?.number ?? 0))
            writer.write(summary.lastUpdated.milliseconds)
        }
        return writer.bytes
    }

    package static func decode(_ encoded: [UInt8]) throws(AchievementError) -> [CategorySummary] {
        do {
            var reader = CBORReader(encoded)
            let count = try reader.readArray(max: Limits.summaryCategories)
            var summaries: [CategorySummary] = []
            for _ in 0..<count {
                guard try reader.readArray(max: 6) == 6 else { throw AchievementError.malformed }
                var summary = CategorySummary(category: try reader.readText(max: Limits.categoryBytes))
                summary.count = try number(&reader)
                summary.unlocked = try number(&reader)
                summary.unlockedTiers = try number(&reader)
                summary.highestTier = AchievementTier(number: UInt32(try number(&reader)))
                summary.lastUpdated = WallTime(milliseconds: try reader.readInt())
                summaries.append(summary)
            }
            try reader.finish()
            return summaries
        } catch {
            throw .malformed
        }
    }

    private static func number(_ reader: inout CBORReader) throws -> Int {
        guard let number = UInt32(exactly: try reader.readUInt()) else { throw AchievementError.malformed }
        return Int(number)
    }
}
