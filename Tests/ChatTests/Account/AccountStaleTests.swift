import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

/// Decisions that rest on facts are made again when the facts change: devices that hold the same show the same.
@Suite struct AccountStaleTests {
    // These are not in the family that all test zones know.
    private let laptop, phone, tablet: TestZone

    init() throws {
        (laptop, phone, tablet) = (try TestZone(device: 21), try TestZone(device: 22), try TestZone(device: 23))
        try begin(day: 1)
        try phone.zone.devices.describe(name: "phone", appVersion: "1.0", wall: .day(1))
        for (number, zone) in zip(UInt64(1)..., [laptop, phone, tablet]) {
            try zone.archive(.sample(number, score: number, blockTime: 1_700_000_000_000 + number))
            try zone.writeFact("a row by which it is known")
        }
        for _ in 0..<2 {
            try laptop.settle(with: tablet)
            try laptop.settle(with: phone)
        }
        // The thief has the device from now on.
        try begin(day: 2)
    }

    private func begin(day: Int) throws {
        for zone in [laptop, phone, tablet] { try zone.begin(day: day) }
    }

    private func remove() throws {
        try begin(day: 3)
        _ = try laptop.zone.removal.remove(phone.zone.lane, since: .day(2, 0), by: TestZone.signer)
        try laptop.zone.commit()
    }

    private func scrub(_ zone: TestZone) throws {
        var cursor = ZoneStore.ScrubCursor()
        while try zone.store.scrub(&cursor) {}
        try zone.zone.commit()
        #expect(cursor.report.damagedBlobs == 1)
    }

    // MARK: Groups

    @Test("A group that only a removed device had joined does not hide that another one joins it")
    func groupOfARemovedDevice() throws {
        let group = GroupMembershipTests.id(1)
        try phone.zone.groups.put(GroupMembershipTests.membership(group))
        try laptop.settle(with: phone)
        #expect(laptop.zone.groups.membership(of: group)?.state == .joined)
        try remove()
        #expect(laptop.zone.groups.membership(of: group)?.state == .left)
        try laptop.settle(with: tablet)
        try tablet.zone.groups.put(GroupMembershipTests.membership(group, person: 2))
        try laptop.settle(with: tablet)
        for zone in [tablet, try laptop.reopened(), laptop] {
            #expect(zone.zone.groups.membership(of: group)?.state == .joined)
        }
    }

    @Test("How a removed device called itself since it was stolen is forgotten")
    func nameOfARemovedDevice() throws {
        try phone.zone.devices.rename("Mallory's", wall: .day(2))
        try laptop.settle(with: phone)
        #expect(try laptop.zone.devices.name(of: phone.zone.lane) == "Mallory's")
        try remove()
        try laptop.settle(with: tablet)
        for zone in [tablet, laptop, try laptop.reopened()] {
            #expect(try zone.zone.devices.name(of: phone.zone.lane) == "phone")
        }
    }

    // MARK: Deleting

    @Test("A deleted body goes from its segment also if the segment's blob was missing on the day it was due")
    func bodyThatWasMissing() throws {
        let (one, two) = (try TestZone(device: 1), try TestZone(device: 2))
        let messages = (1...3).map { ChatMessage.sample($0, timestamp: 1_700_000_000 + $0, body: "body \($0)") }
        for message in messages { _ = try one.zone.accept(message, now: .zero) }
        try one.zone.cut(force: true, now: .zero)
        try one.meet(two)
        _ = try one.zone.deletions.delete(message: messages[0].txid, wall: .day(0))
        try one.zone.commit()
        try one.database.execute("UPDATE blob SET data = zeroblob(length(data))")
        try scrub(one)
        try one.run(for: SyncState.Limits.keptAside)
        try one.run(for: .seconds(1))
        try one.meet(two)
        for zone in [one, try one.reopened()] {
            for _ in 0..<3 { try zone.run(for: .seconds(20)) }
            try zone.meet(two)
            #expect(zone.store.wantedCount == 0)
            for device in [zone, two] {
                var bodies: [String] = []
                try device.zone.segments.forEachSegment(after: 0) { _, sealed in
                    bodies += (try? device.zone.chat.codec.messages(of: sealed).filter(\.hasContent).map(\.body)) ?? []
                    return true
                }
                #expect(bodies.sorted() == ["body 2", "body 3"])
            }
        }
    }

    /// Whether the conversation's messages are shown, and how many are unread.
    private func shown(_ zone: TestZone) throws -> [Int] {
        let conversation = try zone.zone.chat.conversation("bob")
        return [conversation?.messages ?? 0, conversation?.unread ?? 0]
    }

    @Test("A deletion that names a message of a segment that rotted counts as it does for who comes later")
    func deletionOfRotten() throws {
        let (one, two) = (try TestZone(device: 1), try TestZone(device: 2))
        try one.archive(.sample(1, score: 1, blockTime: 1_700_000_000_000))
        try one.archive(.sample(2, score: 2, blockTime: 1_700_100_000_000))
        _ = try one.zone.deletions.delete(conversation: "bob", wall: .day(0))
        try one.zone.commit()
        #expect(try shown(one) == [0, 0])
        try one.database.execute(
            "UPDATE blob SET data = zeroblob(length(data)) WHERE id = (SELECT max(id) FROM blob)")
        try scrub(one)
        try two.meet(one)
        #expect(try shown(two) == shown(one))
        #expect(try shown(two) == shown(one.reopened()))
    }

    @Test("A former mark goes on also if two new ones come in one turn", arguments: [false, true])
    func formerMarkBeforeTwo(inOneTurn: Bool) throws {
        let (one, two) = (try TestZone(device: 1), try TestZone(device: 2))
        for number in 1...3 as ClosedRange<UInt64> { try one.archive(.sample(number, score: number)) }
        _ = try one.zone.reads.markRead("bob", upTo: ChatMessage.sample(2).txid, now: .zero, wall: .day(0))
        try one.zone.reads.leave("bob")
        try one.meet(two)
        #expect(try two.zone.chat.conversation("bob")?.unread == 1)
        for number in 4...5 as ClosedRange<UInt64> {
            try one.archive(.sample(number, score: number))
            _ = try one.zone.reads.markRead("bob", upTo: nil, now: .zero, wall: .day(0))
            try one.zone.reads.leave("bob")
            try one.zone.commit()
            let rows = try one.store.records(of: one.zone.lane)
            try two.store.put(try #require(rows.last { $0.header.kind == .register }))
            if !inOneTurn { try two.zone.commit() }
        }
        try two.zone.commit()
        #expect(try two.zone.chat.conversation("bob")?.unread == 1)
        try one.meet(two)
        #expect(try two.zone.chat.conversation("bob")?.unread == 0)
    }

    // MARK: Rows that rotted

    @Test("A device whose rows rotted says again in which groups the account is, what it achieved, and how old it is")
    func saidAgain() throws {
        let (one, two) = (try TestZone(device: 1), try TestZone(device: 2))
        let group = GroupMembershipTests.id(1)
        try one.zone.groups.put(GroupMembershipTests.membership(group))
        let achievement = try Achievement(
            id: AchievementID(Bytes16(1, 1)), category: "streaks", thresholds: [:], currentValue: 3, currentTier: nil,
            unlockDates: [:], lastUpdated: .day(0))
        try one.zone.achievements.merge(AchievementSet([achievement]))
        try one.zone.accountState.declare(createdAt: .day(0))
        try one.zone.commit()
        try one.database.execute("UPDATE record SET rec = zeroblob(length(rec)) WHERE blob IS NULL")
        var cursor = ZoneStore.ScrubCursor()
        while try one.store.scrub(&cursor) {}
        try one.zone.commit()
        #expect(cursor.report.damagedRows > 0)
        let again = try one.reopened()
        try again.zone.accountState.declare(createdAt: .day(5))
        try two.meet(again)
        for zone in [one, again, two] {
            #expect(zone.zone.groups.membership(of: group)?.state == .joined)
            #expect(zone.zone.achievements.known.count == 1)
            #expect(zone.zone.accountState.state?.createdAt == .day(0))
        }
    }
}
