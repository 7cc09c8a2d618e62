import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite("Achievements of an account") struct AccountZoneAchievementTests {
    private static func achievement(
        _ number: UInt64, value: Int64, tiers: [UInt32: Int64] = [:], category: String = "streaks"
    ) throws -> Achievement {
        var dates: [AchievementTier: WallTime] = [:]
        for (tier, date) in tiers {
            dates[try #require(AchievementTier(number: tier))] = WallTime(milliseconds: date)
        }
        return try Achievement(
            id: AchievementID(Bytes16(1, number)), category: category, thresholds: [:], currentValue: value,
            currentTier: dates.keys.max(), unlockDates: dates, lastUpdated: WallTime(milliseconds: value))
    }

    private static func set(_ achievements: Achievement...) -> AchievementSet { AchievementSet(achievements) }

    /// Gives one device's records to another, with their blobs.
    private func give(_ one: TestZone, to other: TestZone) throws {
        try one.zone.commit()
        try other.learnLedger(of: one)
        try one.store.forEachRecord { try other.store.put($0) }
        for wanted in try other.store.wanted(limit: 100) {
            let blob = try one.store.blob(
                of: wanted.record.lane, seq: wanted.record.seq, hashPrefix: wanted.blob.hash.shortPrefix)
            if let blob { _ = try other.store.put(blob: blob, for: wanted) }
        }
        try other.zone.commit()
    }

    @Test("Two devices offline unlock the same and different ones: both end with the union, each date the earliest")
    func union() throws {
        let phone = try TestZone(device: 1)
        let laptop = try TestZone(device: 2)
        try phone.zone.achievements.merge(Self.set(Self.achievement(1, value: 10, tiers: [1: 500, 2: 900])))
        try laptop.zone.achievements.merge(
            Self.set(Self.achievement(1, value: 12, tiers: [1: 400, 3: 950]), Self.achievement(2, value: 1)))
        try give(phone, to: laptop)
        try give(laptop, to: phone)
        for zone in [phone, laptop] {
            let merged = zone.zone.achievements.known
            #expect(merged.count == 2)
            let first = try #require(merged.achievements.first { $0.id == AchievementID(Bytes16(1, 1)) })
            #expect(first.currentValue == 12)
            let unlocked = first.unlockDates.map { "\($0.key.number) at \($0.value.milliseconds)" }
            #expect(unlocked.sorted() == ["1 at 400", "2 at 900", "3 at 950"])
        }
        #expect(phone.zone.achievements.known == laptop.zone.achievements.known)
        #expect(try phone.reopened().zone.achievements.known == laptop.zone.achievements.known)
    }

    @Test("A set too large for a record travels as a blob, with its summary in the record")
    func large() throws {
        let phone = try TestZone(device: 1)
        let laptop = try TestZone(device: 2)
        let many = try (0..<400).map {
            try Self.achievement(UInt64($0), value: 3, tiers: [1: 5], category: "category \($0 % 3)")
        }
        let set = AchievementSet(many)
        try phone.zone.achievements.merge(set)
        try phone.zone.commit()
        let register = try #require(try phone.store.liveRegisters(slotName: AchievementRecord.slotName).first)
        #expect(register.blob != nil)
        guard let fields = try phone.zone.open(register) as? AchievementRecord else {
            Issue.record("not achievements")
            return
        }
        #expect(set.summary.map(\.unlocked) == [134, 133, 133])
        #expect(fields.summary == CategorySummary.encode(set.summary))
        try laptop.store.put(register)
        try laptop.zone.commit()
        #expect(laptop.zone.achievements.known.count == 0)
        try give(phone, to: laptop)
        #expect(laptop.zone.achievements.known == phone.zone.achievements.known)
    }

    @Test("No unlock is lost when the device that told it is gone, or starts afresh")
    func theWordOutlivesTheLane() throws {
        let phone = try TestZone(device: 1)
        let laptop = try TestZone(device: 2)
        try phone.zone.achievements.merge(Self.set(Self.achievement(1, value: 10, tiers: [1: 500])))
        try give(phone, to: laptop)
        try laptop.zone.devices.forget(phone.zone.lane, wall: .day(1))
        try laptop.zone.commit()
        let tablet = try TestZone(device: 3)
        try give(laptop, to: tablet)
        #expect(tablet.zone.achievements.known.count == 1)
        try tablet.zone.achievements.merge(Self.set(Self.achievement(2, value: 1)))
        try tablet.zone.commit()
        try tablet.store.startAfresh(.clone)
        try tablet.zone.commit()
        let fourth = try TestZone(device: 4)
        try give(tablet, to: fourth)
        #expect(fourth.zone.achievements.known.count == 2)
    }

    @Test func theSameAgainChangesNothingAndARollBackForgets() throws {
        let phone = try TestZone(device: 1)
        let one = Self.set(try Self.achievement(1, value: 10))
        #expect(try phone.zone.achievements.merge(one))
        try phone.zone.rollback()
        #expect(phone.zone.achievements.known.count == 0)
        #expect(try phone.zone.achievements.merge(one))
        try phone.zone.commit()
        #expect(try !phone.zone.achievements.merge(one))
        try phone.zone.rollback()
        #expect(phone.zone.achievements.known == one)
    }

    @Test("More than fits is refused whole; of another device it is kept as a record and not joined")
    func tooMany() throws {
        let phone = try TestZone(device: 1)
        let many = try (0..<1_001).map { try Self.achievement(UInt64($0), value: 1) }
        #expect(throws: AchievementError.tooMany) { try phone.zone.achievements.merge(AchievementSet(many)) }
        #expect(phone.zone.achievements.known.count == 0)
        let laptop = try TestZone(device: 2)
        try phone.zone.achievements.merge(AchievementSet(many.prefix(600)))
        try laptop.zone.achievements.merge(AchievementSet(many.suffix(600)))
        try give(phone, to: laptop)
        #expect(laptop.zone.achievements.known.count == 600)
    }
}
