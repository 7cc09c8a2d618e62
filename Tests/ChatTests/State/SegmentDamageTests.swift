import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

/// Messages whose segment, row or queue row is damaged are in no list and no count until they are back.
@Suite struct SegmentDamageTests {
    private func counted(_ device: TestZone) throws -> Int {
        try device.zone.chat.conversationList().reduce(0) { $0 + $1.messages }
    }

    private func listed(_ device: TestZone) throws -> Int {
        try device.zone.chat.messages(conversation: "bob", limit: 10).count
    }

    /// Two devices: one archived two messages, and the other got them from it.
    private func withTwoMessages() throws -> (TestZone, TestZone) {
        let (one, two) = (try TestZone(device: 1), try TestZone(device: 2))
        try one.archive(.sample(1), .sample(2))
        try two.take(from: one)
        #expect(try counted(two) == 2)
        return (one, two)
    }

    /// Checks the whole store, and returns what it found.
    private func scrubbed(_ device: TestZone) throws -> ZoneStore.ScrubReport {
        var cursor = ZoneStore.ScrubCursor()
        while try device.store.scrub(&cursor) {}
        try device.zone.commit()
        return cursor.report
    }

    @Test func whatRottedCountsAgainWhenItComesAgain() throws {
        let (one, two) = try withTwoMessages()
        try two.database.execute("UPDATE blob SET data = zeroblob(length(data))")
        #expect(try scrubbed(two).damagedBlobs == 1)
        #expect(try counted(two) == 0 && listed(two) == 0)
        let again = try two.reopened()
        #expect(try counted(again) == 0)
        try again.take(from: one)
        #expect(try counted(again) == 2 && listed(again) == 2)
    }

    /// The segment was rewritten, so the one it replaced is kept here. Seed 308 of accounts on disks.
    @Test(arguments: [
        "UPDATE blob SET data = zeroblob(length(data)) WHERE record >= 0", "DELETE FROM blob WHERE record >= 0",
    ])
    func whatRottedIsReadFromWhatItReplaced(damage: String) throws {
        let one = try TestZone(device: 1)
        for number: UInt64 in 1...3 { try one.archive(.sample(number, timestamp: 1_700_000_000 + number)) }
        #expect(try one.store.own.rows == 1 && listed(one) == 3)
        let two = try TestZone(device: 2)
        try two.take(from: one)
        _ = try one.zone.deletions.delete(message: ChatMessage.sample(1).txid, wall: .day(0))
        try one.zone.commit()
        try one.database.execute(damage)
        #expect(try scrubbed(one).damagedBlobs == 1)
        // The third message was only in the damaged segment.
        #expect(try counted(one) == 1 && listed(one) == 1)
        // A device that comes later gets it too.
        try one.zone.cut(force: true, now: .zero)
        try one.zone.commit()
        let late = try TestZone(device: 3)
        try late.take(from: one)
        #expect(try counted(late) == 1 && listed(late) == 1)
        let again = try one.reopened()
        try again.take(from: two)
        #expect(again.store.wantedCount == 0)
        #expect(try counted(again) == 2 && listed(again) == 2)
    }

    @Test func whatLostItsRowCountsAgainWhenTheRowIsBack() throws {
        let (one, two) = try withTwoMessages()
        try two.database.execute("UPDATE record SET rec = zeroblob(length(rec)) WHERE blob IS NOT NULL")
        #expect(try scrubbed(two).damagedRows == 1 && two.store.orphanCount == 1)
        #expect(try counted(two) == 0 && listed(two) == 0)
        let again = try two.reopened()
        // Only the row comes, since its blob has stayed here.
        try two.takeRows(of: one)
        #expect(two.store.wantedCount == 0 && two.store.orphanCount == 0)
        #expect(try counted(two) == 2 && listed(two) == 2)
        // After a start, nobody knows which row the blob belonged to.
        #expect(try counted(again) == 0)
        try again.take(from: one)
        #expect(again.store.wantedCount == 0)
        #expect(try counted(again) == 2 && listed(again) == 2)
    }

    @Test func whatLeftTheQueueForASegmentWhoseRowRottedDoesNotCount() throws {
        let one = try TestZone(device: 1)
        _ = try one.zone.accept(.sample(1), now: .zero)
        #expect(try counted(one) == 1)
        try one.zone.cut(force: true, now: .zero)
        try one.zone.commit()
        let two = try TestZone(device: 2)
        try two.take(from: one)
        try one.database.execute("UPDATE record SET rec = zeroblob(length(rec)) WHERE blob IS NOT NULL")
        // The index still has the message in the queue.
        let again = try one.reopened()
        #expect(try counted(again) == 0 && listed(again) == 0)
        _ = try scrubbed(again)
        try again.take(from: two)
        #expect(try counted(again) == 1 && listed(again) == 1)
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
