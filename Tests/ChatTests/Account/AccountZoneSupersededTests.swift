import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

/// Superseded records stay aside for seven days of running time: in no set or list, but served by their hash.
@Suite struct AccountZoneSupersededTests {
    private static let week = SyncState.Limits.keptAside

    private func serves(_ record: Record, _ device: TestZone) throws -> Bool {
        try device.store.row(of: record.lane, seq: record.seq, hash: record.hash.prefix) == record.encoded
    }

    @Test func aRegisterStaysAsideAndIsServedByItsHash() throws {
        let device = try TestZone(device: 1)
        let old = try device.read("bob", score: 1)
        try device.zone.commit()
        let new = try device.read("bob", score: 2)
        try device.zone.commit()
        let late = try TestZone(device: 2)
        try late.take(from: device)
        #expect(try serves(old, device) && !serves(old, late))
        #expect(try serves(new, device) && serves(new, late))
        // The old record is in no set, list or page, and is not counted.
        #expect(device.store.lane(old.lane)?.fingerprint == late.store.lane(old.lane)?.fingerprint)
        #expect(device.store.own.rows == late.store.lane(old.lane)?.rows)
        #expect(try device.store.records(of: old.lane).map(\.hash) == late.store.records(of: old.lane).map(\.hash))
        #expect(try !device.store.keys(of: old.lane, from: 0, through: new.seq).keys.contains { $0.seq == old.seq })
        let page = try device.store.page(of: old.lane, since: 0, rows: 10, sizeBytes: 10_000)
        #expect(!page.rows.contains(old.encoded) && page.rows.contains(new.encoded))
        #expect(try device.store.newest(of: old.lane, count: 10).allSatisfy { $0 != old.encoded })
        // A device that gets it keeps what replaced it.
        #expect(try device.store.put(old).isSuperseded && late.store.put(old).isSuperseded)
        #expect(try device.store.row(of: old.lane, seq: old.seq, hash: .zero) == nil)
    }

    /// The date does not matter: a clock that jumps releases nothing.
    @Test func sevenDaysOfRunningTime() throws {
        var device = try TestZone(device: 1)
        let old = try device.read("bob", score: 1)
        device.store.setTime(now: .zero, wall: .day(1_000))
        try device.read("bob", score: 2)
        try device.run(for: Self.week - .seconds(1))
        device = try device.reopened()
        #expect(try serves(old, device))
        try device.run(for: .seconds(61))
        #expect(try !serves(old, device))
        #expect(try device.reopened().store.row(of: old.lane, seq: old.seq, hash: old.hash.prefix) == nil)
    }

    @Test func aRollbackUndoesIt() throws {
        let device = try TestZone(device: 1)
        let old = try device.read("bob", score: 1)
        try device.zone.commit()
        try device.read("bob", score: 2)
        try device.zone.rollback()
        #expect(try device.store.holds(old))
        // A record is kept once and released once.
        try device.read("bob", score: 3)
        try device.zone.commit()
        #expect(try serves(old, device))
        try device.run(for: Self.week)
        #expect(try !serves(old, device))
    }

    /// This holds for a register with a blob, and for a segment once the new one's blob is here.
    @Test func itsBlobIsServedToo() throws {
        let device = try TestZone(device: 1)
        try device.archive(.sample(1, score: 1, blockTime: 1_700_000_000_001), .sample(2))
        let old = try #require(device.store.takeWritten().map(\.record).last { $0.kind == .segment })
        _ = try device.zone.deletions.delete(message: ChatMessage.sample(1).txid, wall: .day(0))
        try device.zone.commit()
        let held = device.store.total.held
        try device.run(for: Self.week)
        #expect(device.store.total.held.blobs == held.blobs && device.store.aside.shownCount == 0)
        let reference = try #require(old.blob)
        func blob() throws -> [UInt8]? {
            try device.store.blob(of: old.lane, seq: old.seq, hashPrefix: reference.hash.shortPrefix)
        }
        let served = try #require(try blob())
        #expect(BlobHash(Blake2b.hash32(served)) == reference.hash)
        // A scrub finds it sound, and drops it once it is damaged.
        var cursor = ZoneStore.ScrubCursor()
        while try device.store.scrub(&cursor) {}
        #expect(cursor.report.damagedBlobs == 0 && cursor.report.lanesDiffering == 0)
        try device.database.execute("UPDATE blob SET data = zeroblob(length(data)) WHERE record < 0")
        #expect(try blob() == nil)
        cursor = ZoneStore.ScrubCursor()
        while try device.store.scrub(&cursor) {}
        try device.zone.commit()
        #expect(cursor.report.damagedBlobs == 1)
        #expect(try !serves(old, device))
        #expect(try device.zone.chat.messages(conversation: "bob", limit: 10).map(\.message.body) == ["text 2"])
    }
}

extension ZoneStore.PutOutcome {
    fileprivate var isSuperseded: Bool { if case .superseded = self { true } else { false } }
}
