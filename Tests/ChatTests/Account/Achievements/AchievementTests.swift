import NodeCore
import Testing

@testable import Chat

@Suite("Achievements") struct AchievementTests {
    private func tier(_ number: UInt32) throws -> AchievementTier { try #require(AchievementTier(number: number)) }

    /// The last two look the same.
    private static let categories = ["streak", "wins", "from later", "caf\u{E9}", "cafe\u{301}"]

    /// Few ids, tiers and values, so that copies meet and disagree, and some tiers, categories and fields of a later
    /// version.
    private func randomSet(_ random: inout SeededRandom) throws -> AchievementSet {
        var all: [Achievement] = []
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            var thresholds: [AchievementTier: Int64] = [:]
            var dates: [AchievementTier: WallTime] = [:]
            for number in 1...8 as ClosedRange<UInt32> {
                let tier = try tier(number)
                if Bool.random(using: &random) { thresholds[tier] = Int64.random(in: 1...3, using: &random) }
                if Int.random(in: 0..<3, using: &random) == 0 {
                    dates[tier] = WallTime(milliseconds: Int64.random(in: -5...5, using: &random))
                }
            }
            let current = UInt32.random(in: 0...9, using: &random)
            var later: [UInt64: [UInt8]] = [:]
            if Bool.random(using: &random) {
                later[UInt64.random(in: 7...9, using: &random)] = [UInt8.random(in: 0...23, using: &random)]
            }
            all.append(
                try Achievement(
                    id: AchievementID(Bytes16(0, UInt64.random(in: 0..<5, using: &random))),
                    category: Self.categories[Int.random(in: 0..<5, using: &random)],
                    thresholds: thresholds, currentValue: Int64.random(in: 0...4, using: &random),
                    currentTier: AchievementTier(number: current), unlockDates: dates,
                    lastUpdated: WallTime(milliseconds: Int64.random(in: 0...9, using: &random)), laterFields: later))
        }
        return AchievementSet(all, version: UInt64.random(in: 1...2, using: &random))
    }

    private func merged(_ one: AchievementSet, _ other: AchievementSet) -> AchievementSet {
        var result = one
        result.merge(other)
        return result
    }

    @Test(
        "Merging is commutative, associative and idempotent, and loses no unlock", arguments: 0..<300 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let (a, b, c) = (try randomSet(&random), try randomSet(&random), try randomSet(&random))
        let both = merged(a, b)
        #expect(both == merged(b, a))
        #expect(try both.encoded() == merged(b, a).encoded())
        #expect(CategorySummary.encode(both.summary) == CategorySummary.encode(merged(b, a).summary))
        #expect(merged(both, c) == merged(a, merged(b, c)))
        #expect(merged(both, a) == both && merged(a, a) == a)
        for part in [a, b] {
            #expect(both.version >= part.version)
            for achievement in part.achievements {
                let whole = try #require(both.achievements.first { $0.id == achievement.id })
                #expect(whole.currentValue >= achievement.currentValue && whole.lastUpdated >= achievement.lastUpdated)
                #expect(whole.highestTier.map { $0.number } ?? 0 >= achievement.highestTier.map { $0.number } ?? 0)
                for (tier, date) in achievement.unlockDates {
                    #expect(whole.unlockDates[tier].map { $0 <= date } ?? false)
                }
                #expect(Set(whole.laterFields.keys).isSuperset(of: achievement.laterFields.keys))
            }
        }
    }

    @Test("A set comes back as it was written, with a later version's additions", arguments: 0..<100 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let set = try randomSet(&random)
        let bytes = try set.encoded()
        let again = try AchievementSet(encoded: bytes)
        #expect(again == set)
        #expect(try again.encoded() == bytes)
        #expect(throws: AchievementError.self) { try AchievementSet(encoded: bytes + [0]) }
        for _ in 0..<50 {
            var changed = bytes
            changed[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            if let read = try? AchievementSet(encoded: changed) { #expect(try read.encoded() == changed) }
        }
    }

    @Test("Two devices offline unlock the same and different tiers: both end with the union, the earliest dates")
    func union() throws {
        func copy(_ dates: [UInt32: Int64], _ value: Int64, _ updated: Int64) throws -> AchievementSet {
            let unlocks = try dates.map { (try tier($0), WallTime(milliseconds: $1)) }
            return AchievementSet([
                try Achievement(
                    id: AchievementID(Bytes16(1, 1)), category: "streak", thresholds: [tier(1): 3], currentValue: value,
                    currentTier: AchievementTier(number: dates.keys.max() ?? 0),
                    unlockDates: Dictionary(uniqueKeysWithValues: unlocks), lastUpdated: WallTime(milliseconds: updated)
                )
            ])
        }
        let phone = try copy([1: 100, 2: 300], 12, 300)
        let laptop = try copy([1: 200, 3: 250], 9, 400)
        let both = merged(phone, laptop)
        let achievement = try #require(both.achievements.first)
        #expect(
            achievement.unlockDates.map { "\($0.key.number) \($0.value.milliseconds)" }.sorted() == [
                "1 100", "2 300", "3 250",
            ])
        #expect(achievement.currentValue == 12 && achievement.currentTier?.name == "gold")
        #expect(both.lastUpdated == WallTime(milliseconds: 400))
        let summary = try #require(both.summary.first)
        #expect(summary.count == 1 && summary.unlocked == 1 && summary.unlockedTiers == 3)
        #expect(summary.highestTier?.number == 3)
    }

    @Test("Limits, and names of tiers")
    func limits() throws {
        let one = try Achievement(
            id: .zero, category: "x", thresholds: [:], currentValue: 0, lastUpdated: WallTime(milliseconds: 0))
        #expect(try AchievementSet([one]).encoded().count < 60)
        #expect(throws: AchievementError.badCategory) {
            try Achievement(
                id: .zero, category: "\u{1B}", thresholds: [:], currentValue: 0, lastUpdated: WallTime(milliseconds: 0))
        }
        let many = try (0...Limits.achievements).map {
            try Achievement(
                id: AchievementID(Bytes16(0, UInt64($0))), category: "x", thresholds: [:], currentValue: 0,
                lastUpdated: WallTime(milliseconds: 0))
        }
        #expect(throws: AchievementError.tooMany) { try AchievementSet(many).encoded() }
        for (index, name) in AchievementTier.names.enumerated() {
            #expect(AchievementTier(name: name)?.number == UInt32(index) + 1)
        }
        #expect(AchievementTier(number: 7)?.name == nil && AchievementTier(number: 0) == nil)
        #expect(AchievementTier(name: "wood") == nil)
    }
}
