import NodeCore
import Testing

@testable import Chat
@testable import Gossip
@testable import SyncState

/// A device keeps, serves and counts segments of a later version, which it cannot read.
@Suite struct SyncNewerSegmentTests {
    private static func writeNewer(_ node: SyncBench, version: UInt64, sequence: UInt64) throws {
        let name = SegmentName(conversationID: "c", dayBucket: 1, writer: node.zone.lane, sequence: sequence)
        let meta = SegmentMeta(
            name: name, startTimestamp: 86_400, endTimestamp: 86_400, messageCount: 1, byteCount: 9,
            payloadVersion: version, prefixes: [1, 2, 3, 4])
        try node.store.write(
            RecordMeta(type: .segment, tag: Bytes16(7, sequence), fields: meta.encoded), slotName: name.text,
            kind: .segment
        ) { _ in [UInt8](repeating: UInt8(sequence), count: 900) }
        try node.turn()
    }

    @Test func itGoesFromDeviceToDeviceAndIsNeverDropped() throws {
        let (newer, older, third) = (try SyncBench(1), try SyncBench(2), try SyncBench(3))
        let next = Chat.Limits.payloadVersion + 1
        try Self.writeNewer(newer, version: next, sequence: 0)
        try Self.writeNewer(newer, version: next + 1, sequence: 1)
        try Self.writeNewer(newer, version: next + 1, sequence: 2)
        try newer.accept("readable", seed: 1)
        try older.meet(newer, SessionID(1))
        let expected = [
            NewerSegmentCount(version: next, segments: 1), NewerSegmentCount(version: next + 1, segments: 2),
        ]
        #expect(try older.zone.chat.newerSegments.counts() == expected)
        // The newer device is gone; the one that cannot read its segments serves them.
        older.sync.closed(SessionID(1), now: older.now)
        try third.meet(older, SessionID(2))
        #expect(try third.zone.chat.newerSegments.counts() == expected)
        #expect(third.store.wantedCount == 0 && third.store.digest == older.store.digest)
        #expect(third.zone.archive.unreadableSegments == 0)
        #expect(try third.zone.chat.stats().messages == 1)
    }
}
