import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

/// The messages of a segment or of a queued row whose bytes rotted are in no list and no count, until they are here
/// again.
@Suite struct SegmentDamageTests {
    private func counted(_ device: TestZone) throws -> Int {
        try device.zone.chat.conversationList().reduce(0) { $0 + $1.messages }
    }

    private func listed(_ device: TestZone) throws -> Int {
        try device.zone.chat.messages(conversation: "bob", limit: 10).count
    }

    @Test func whatRottedCountsAgainWhenItComesAgain() throws {
        let one = try TestZone(device: 1)
        try one.archive(.sample(1), .sample(2))
        let two = try TestZone(device: 2)
        try two.take(from: one)
        #expect(try counted(two) == 2)
        try two.database.execute("UPDATE blob SET data = zeroblob(length(data))")
        var cursor = ZoneStore.ScrubCursor()
        while try two.store.scrub(&cursor) {}
        try two.zone.commit()
        #expect(cursor.report.damagedBlobs == 1)
        #expect(try counted(two) == 0 && listed(two) == 0)
        let again = try two.reopened()
        #expect(try counted(again) == 0)
        try again.take(from: one)
        #expect(try counted(again) == 2 && listed(again) == 2)
    }

    @Test func whatRottedInTheQueueCountsAgainWhenACopyComes() throws {
        let one = try TestZone(device: 1)
        for number in 1...2 { _ = try one.zone.accept(.sample(UInt64(number)), now: .zero) }
        try one.zone.commit()
        #expect(try counted(one) == 2)
        try one.database.execute(
            "UPDATE queue SET sealed = zeroblob(length(sealed)) WHERE id = (SELECT min(id) FROM queue)")
        try one.zone.cut(force: true, now: .zero)
        try one.zone.commit()
        #expect(try counted(one) == 1 && listed(one) == 1)
        // The row is still in the table, and is tried again.
        let again = try one.reopened()
        #expect(again.zone.chat.queuedCount == 1)
        try again.zone.cut(force: true, now: .zero)
        try again.zone.commit()
        #expect(try again.zone.chat.queuedCount == 0 && counted(again) == 1)
        let two = try TestZone(device: 2)
        try two.archive(.sample(1))
        try again.take(from: two)
        #expect(try counted(again) == 2 && listed(again) == 2)
    }
}
