import Chat
import ChatTestKit
import NodeCore
import SyncState
import Testing

@Suite struct ZoneStoreBlobTests {
    private func pair() throws -> (one: TestZone, other: TestZone, record: Record) {
        let one = try TestZone(device: 1)
        let other = try TestZone(device: 2)
        let record = try one.writeBlob("picture", [UInt8](repeating: 42, count: 20_000))
        try one.zone.commit()
        try other.store.put(record)
        try other.zone.commit()
        return (one, other, record)
    }

    private func blob(_ zone: TestZone, _ record: Record) throws -> [UInt8]? {
        guard let reference = record.blob else { return nil }
        return try zone.store.blob(of: record.lane, seq: record.seq, hashPrefix: reference.hash.shortPrefix)
    }

    @Test func aRowWithoutItsBlobIsWantedUntilItComes() throws {
        let (one, other, record) = try pair()
        #expect(other.store.wantedCount == 1)
        let wanted = try #require(try other.store.wanted(limit: 5).first)
        #expect(wanted.record.hash == record.hash)
        let bytes = try #require(try blob(one, record))

        var damaged = bytes
        damaged[100] ^= 1
        guard case .wrongHash = try other.store.put(blob: damaged, for: wanted) else { throw Failure("taken") }
        guard case .stored = try other.store.put(blob: bytes, for: wanted) else { throw Failure("not taken") }
        guard case .notWanted = try other.store.put(blob: bytes, for: wanted) else { throw Failure("taken twice") }
        try other.zone.commit()
        #expect(other.store.wantedCount == 0)
        #expect(try blob(other, record) == bytes)
        #expect(try other.reopened().store.wantedCount == 0)
    }

    /// A device that was away has what had come when it last held everything, and what it wrote itself.
    @Test func theShareThatAnotherDeviceHoldsFollowsFromWhenItHeldAll() throws {
        let (one, other) = (try TestZone(device: 1), try TestZone(device: 2))
        var records: [Record] = []
        for (zone, day, bytes) in [(one, 1, 30_000), (one, 2, 9_000), (other, 3, 1_000)] {
            zone.store.setTime(now: .zero, wall: .day(day))
            records.append(try zone.writeBlob("picture \(day)", [UInt8](repeating: 42, count: bytes)))
            try zone.zone.commit()
        }
        one.store.setTime(now: .zero, wall: .day(3))
        try one.store.put(records[2])
        let wanted = try #require(try one.store.wanted(limit: 1).first)
        _ = try one.store.put(blob: try #require(try blob(other, records[2])), for: wanted)
        try one.zone.commit()
        func held(_ day: Int) throws -> Int? { try one.store.percentHeld(by: other.zone.lane, at: .day(day)) }
        #expect(try held(3) == 100 && held(2) == 100)
        let (first, none) = (try #require(try held(1)), try #require(try held(0)))
        #expect((70..<85).contains(first) && (0..<10).contains(none), "\(first), \(none)")
    }

    @Test func aFlippedByteIsFoundNeverServedAndWantedAgain() throws {
        let (one, _, record) = try pair()
        try one.database.execute("UPDATE blob SET data = zeroblob(length(data))")
        #expect(try blob(one, record) == nil)
        #expect(one.store.wantedCount == 1)
        #expect(try one.store.repairs(limit: 5).count == 1)
    }

    @Test func aScrubFindsDamagedBlobsAndLostRows() throws {
        let (one, other, record) = try pair()
        let wanted = try #require(try other.store.wanted(limit: 1).first)
        _ = try other.store.put(blob: try #require(try blob(one, record)), for: wanted)
        try other.zone.commit()
        let before = other.store.digest

        try other.database.execute("DELETE FROM record WHERE blob IS NOT NULL")
        var cursor = ZoneStore.ScrubCursor()
        while try other.store.scrub(&cursor) {}
        try other.zone.commit()
        #expect(cursor.report.lanesDiffering == 1)
        #expect(other.store.digest != before)

        // The peer's row heals it: the blob that stayed is linked again, and not fetched.
        try other.store.put(record)
        try other.zone.commit()
        #expect(other.store.digest == before)
        #expect(other.store.wantedCount == 0)
        #expect(try blob(other, record) != nil)
    }

    /// A lost log may leave a commit's row in the file without its blob.
    @Test func aScrubFindsBlobsThatAreNotThere() throws {
        let (one, _, record) = try pair()
        try one.database.execute("DELETE FROM blob")
        var cursor = ZoneStore.ScrubCursor()
        while try one.store.scrub(&cursor) {}
        try one.zone.commit()
        #expect(cursor.report.damagedBlobs == 1 && cursor.report.lanesDiffering == 0)
        #expect(try one.store.wanted(limit: 2).map(\.record.seq) == [record.seq])
    }

    @Test func aSupersededRowTakesItsBlobAside() throws {
        let one = try TestZone(device: 1)
        // The chat is open from here on: it is told of later arrivals, and does not derive them from the store.
        try one.zone.chat.flush()
        let name = SegmentName(conversationID: "c", dayBucket: 1, writer: one.zone.lane, sequence: 1)
        let meta = SegmentMeta(
            name: name, startTimestamp: 86_400, endTimestamp: 86_400, messageCount: 0, byteCount: 0, payloadVersion: 1,
            prefixes: [])
        for size in [500, 600] {
            let tag = try one.store.segmentTag(of: name.text)
            let record = try one.store.write(
                RecordMeta(type: .segment, tag: tag, fields: meta.encoded), slotName: name.text, kind: .segment
            ) { _ in [UInt8](repeating: 0, count: size) }
            try one.store.rememberSegment(name.text, tag: tag, record: record)
        }
        try one.zone.commit()
        func sizes() throws -> [Int64] {
            let query = try one.database.prepare("SELECT length(data) FROM blob ORDER BY id")
            var found: [Int64] = []
            while try query.step() { found.append(query.int(0)) }
            return found
        }
        #expect(try sizes() == [500, 600])
        #expect(one.store.total.held.bytes == 600)
        try one.run(for: Limits.keptAside)
        #expect(try sizes() == [600])
        // Bytes that are no segment of ours are kept, and counted.
        #expect(one.zone.archive.unreadableSegments == 2)
    }
}
