import Chat
import ChatTestKit
import NodeCore
import Testing

@testable import SyncState

/// The running sums of what is here and what is still to come.
@Suite struct LaneContentTests {
    /// Accepts messages of one day and conversation, and cuts them.
    private func cut(_ zone: TestZone, _ numbers: ClosedRange<UInt64>, conversation: String = "c") throws {
        for number in numbers {
            _ = try zone.zone.accept(
                .sample(number, conversation: conversation, timestamp: 1_700_000_000 + number), now: .zero)
        }
        try zone.zone.cut(force: true, now: .zero)
        try zone.zone.commit()
    }

    /// Whether a count over the rows gives the kept sums.
    private func isTrue(_ zone: TestZone) throws -> Bool {
        let before = zone.store.contents
        for number in zone.store.contents.indices { try zone.store.recount(number) }
        defer { zone.database.rollback() }
        return before == zone.store.contents
    }

    @Test func recordsSayWhatIsToComeAndBlobsThatItCame() throws {
        let (one, other) = (try TestZone(device: 1), try TestZone(device: 2))
        try cut(one, 1...40)
        try cut(one, 41...50, conversation: "d")
        let written = one.store.total
        #expect(written.held.messages == 50)
        #expect(written.held.blobs == 3)
        #expect(written.wanted == BlobSum())
        #expect(written.newest == 1_700_000_050)

        for record in try one.store.records(of: one.zone.lane) { try other.store.put(record) }
        try other.zone.commit()
        #expect(other.store.content(of: one.zone.lane).wanted == written.held)
        #expect(other.store.content(of: one.zone.lane).held == BlobSum())
        #expect(try other.store.wantedTimes() == 1_700_000_025...1_700_000_050)

        let newest = try #require(try other.store.wanted(limit: 1).first)
        try give(newest, from: one, to: other)
        let left = other.store.content(of: one.zone.lane)
        #expect(left.wanted + left.held == written.held)
        #expect(left.held.messages == 10)
        #expect(other.store.fetched.messages == 10)
        #expect(try other.store.wantedTimes() == 1_700_000_025...1_700_000_040)
        #expect(try isTrue(other))

        for wanted in try other.store.wanted(limit: 9) { try give(wanted, from: one, to: other) }
        #expect(other.store.total.held == written.held)
        #expect(other.store.total.wanted == BlobSum())
        #expect(try other.store.wantedTimes() == nil)
    }

    private func give(_ wanted: WantedBlob, from one: TestZone, to other: TestZone) throws {
        let blob = try #require(
            try one.store.blob(
                of: wanted.record.lane, seq: wanted.record.seq, hashPrefix: wanted.blob.hash.shortPrefix))
        other.store.setTime(now: .zero, wall: WallTime(milliseconds: 777))
        guard case .stored = try other.store.put(blob: blob, for: wanted, from: one.zone.lane) else {
            Issue.record("not stored")
            return
        }
        try other.zone.commit()
    }

    @Test func theyOutliveACrashAndDamage() throws {
        let one = try TestZone(device: 1)
        try cut(one, 1...30)
        let again = try one.reopened()
        #expect(again.store.total == one.store.total)
        // Uncommitted rows are not counted.
        _ = try again.zone.accept(.sample(99), now: .zero)
        try again.zone.cut(force: true, now: .zero)
        #expect(again.store.total.held.messages == 31)
        try again.zone.rollback()
        #expect(again.store.total == one.store.total)

        try again.database.execute(
            "UPDATE blob SET data = zeroblob(length(data)) WHERE id = (SELECT max(id) FROM blob)")
        var cursor = ZoneStore.ScrubCursor()
        while try again.store.scrub(&cursor) {}
        try again.zone.commit()
        #expect(again.store.total.wanted.blobs == 1)
        #expect(again.store.total.wanted + again.store.total.held == one.store.total.held)
        #expect(try isTrue(again))
    }

    /// A store of the previous version has no sums.
    @Test func theyAreCountedOnceForAnOlderStore() throws {
        let one = try TestZone(device: 1)
        try cut(one, 1...30)
        try one.database.execute("UPDATE lane SET content = NULL")
        let again = try one.reopened()
        #expect(again.store.total == one.store.total)
        #expect(try again.reopened().store.total == one.store.total)
    }

    @Test func aBlobTellsWhenAndFromWhomItCame() throws {
        let (one, other) = (try TestZone(device: 1), try TestZone(device: 2))
        try cut(one, 1...3)
        #expect(try one.store.blobArrival(1)?.from == one.zone.lane)
        for record in try one.store.records(of: one.zone.lane) { try other.store.put(record) }
        try give(try #require(try other.store.wanted(limit: 1).first), from: one, to: other)
        let arrival = try #require(try other.store.blobArrival(1))
        #expect(arrival.from == one.zone.lane)
        #expect(arrival.at == WallTime(milliseconds: 777))
        #expect(arrival.record.lane == one.zone.lane)
        #expect(try other.store.blobArrival(2) == nil)
    }
}
