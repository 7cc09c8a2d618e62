import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

/// A lost log left the file between two commits: the rows are held, but what is derived from them is not.
@Suite struct AccountBetweenCommitsTests {
    /// Everything a device shows that comes from records.
    private struct Shown: Hashable {
        var names: [String?] = ["phone", "old one"]
        var (isForgotten, isPinned, isDeleted, isRead) = (true, true, true, true)
        var score: UInt64? = 7
        var deletedThrough: UInt64? = AccountBetweenCommitsTests.deletedThrough
        var group: GroupMembership.State? = .joined
        var achievements = 1
        var createdAt: WallTime? = .day(0)

        init() {}

        init(_ device: TestZone, naming lanes: [LaneID], forgetting gone: LaneID) throws {
            let zone = device.zone
            names = try lanes.map { try zone.devices.name(of: $0) }
            isForgotten = zone.devices.forgotten.contains(gone)
            isPinned = try zone.chat.details("bob").isPinned?.value ?? false
            isDeleted = try zone.chat.isDeleted(ChatMessage.sample(1).txid)
            isRead = try zone.chat.message(ChatMessage.sample(2).txid)?.isRead ?? false
            score = try zone.chat.message(ChatMessage.sample(3).txid)?.message.acceptingDaaScore
            deletedThrough = try zone.chat.deletedThrough("carol")
            group = zone.groups.membership(of: GroupMembershipTests.id(1))?.state
            achievements = zone.achievements.known.count
            createdAt = zone.accountState.state?.createdAt
        }
    }

    private static let deletedThrough: UInt64 = 1_700_000_000_004
    private let phone, laptop, tablet: TestZone

    init() throws {
        (phone, laptop, tablet) = (try TestZone(device: 1), try TestZone(device: 2), try TestZone(device: 3))
        for device in [phone, laptop, tablet] { device.store.setTime(now: .zero, wall: .day(0)) }
        try tablet.zone.devices.describe(name: "tablet", appVersion: "1.0", wall: .day(0))
        try tablet.zone.commit()
        try phone.meet(tablet)
        let zone = phone.zone
        try zone.devices.describe(name: "phone", appVersion: "1.0", wall: .day(0))
        try phone.archive(.sample(1, score: 1), .sample(2, score: 2), .sample(3))
        try phone.archive(.sample(4, conversation: "carol", score: 4, blockTime: Self.deletedThrough))
        try zone.commit()
        _ = try zone.learn(
            ChainEvent(txid: ChatMessage.sample(3).txid, kind: .confirm, acceptingDaaScore: 7, status: .confirmed),
            now: .zero)
        _ = try zone.details.change("bob", [.pinned(true)], wall: .day(0))
        _ = try zone.deletions.delete(message: ChatMessage.sample(1).txid, wall: .day(0))
        _ = try zone.deletions.delete(conversation: "carol", wall: .day(0))
        _ = try zone.reads.markRead("bob", upTo: ChatMessage.sample(2).txid, now: .zero, wall: .day(0))
        try zone.reads.publishReads()
        try zone.devices.names.give("old one", to: laptop.zone.lane)
        try zone.devices.forget(tablet.zone.lane, wall: .day(0))
        try zone.groups.put(GroupMembershipTests.membership(GroupMembershipTests.id(1)))
        try zone.achievements.merge(
            AchievementSet([
                try Achievement(
                    id: AchievementID(Bytes16(1, 1)), category: "streaks", thresholds: [:], currentValue: 3,
                    currentTier: nil, unlockDates: [:], lastUpdated: .day(0))
            ]))
        try zone.accountState.declare(createdAt: .day(0))
        try zone.commit()
        try laptop.meet(phone)
    }

    private func shown(_ device: TestZone) throws -> Shown {
        try Shown(device, naming: [phone.zone.lane, laptop.zone.lane], forgetting: tablet.zone.lane)
    }

    private func scrub(_ device: TestZone) throws -> Int {
        var cursor = ZoneStore.ScrubCursor()
        while try device.store.scrub(&cursor) { try device.zone.commit() }
        try device.zone.commit()
        #expect(cursor.report.damagedRows == 0)
        return cursor.report.damagedIndexes
    }

    @Test(
        "A scrub takes once more what rows say, and nothing stays that none says",
        arguments: [
            "DELETE FROM live_marker", "DELETE FROM message_overlay", "UPDATE message_overlay SET revision = NULL",
            "UPDATE message_overlay SET deleted = 0", "DELETE FROM live_deletion",
            "UPDATE conversation SET details = NULL", "DELETE FROM device", "DELETE FROM given_name",
            "DELETE FROM live_forgotten", "DELETE FROM live_account_state",
            "DELETE FROM setting WHERE name = 'account state'", "DELETE FROM membership",
            "DELETE FROM setting WHERE name = 'achievements'", "UPDATE lane SET slotted = 1000",
            "DELETE FROM live_marker; INSERT INTO given_name SELECT lane, lane, 1, 'nobody' FROM given_name",
        ])
    func takenAgain(damage: String) throws {
        try laptop.database.execute(damage)
        let damaged = try laptop.reopened()
        #expect(try scrub(damaged) > 0)
        #expect(try shown(damaged) == Shown())
        #expect(try shown(damaged.reopened()) == Shown())
        #expect(try scrub(damaged) == 0)
        try phone.meet(damaged)
        #expect(try shown(phone) == Shown())
    }

    @Test(
        "How far a conversation is read or deleted follows from what names its messages at a start already",
        arguments: ["UPDATE conversation SET position = NULL", "UPDATE conversation SET deleted = NULL"])
    func settledAtTheStart(damage: String) throws {
        try laptop.database.execute(damage)
        let damaged = try laptop.reopened()
        #expect(try scrub(damaged) == 0)
        #expect(try shown(damaged) == Shown())
    }

    @Test("A scrub of a home that is sound takes nothing again")
    func sound() throws {
        for device in [phone, laptop, try laptop.reopened()] {
            #expect(try shown(device) == Shown())
            #expect(try scrub(device) == 0)
            #expect(try shown(device) == Shown())
        }
    }
}
