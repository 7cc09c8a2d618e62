import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite struct NewerSegmentsTests {
    private static func chat(_ database: Database, _ store: SegmentTable, knows version: UInt64) throws -> ChatState {
        try ChatState(
            database: database, lane: ChatFixture.lane, queueKey: Secret(bytes: [UInt8](repeating: 3, count: 32)),
            source: store, random: SeededRandom(seed: 5), now: .zero, hashBits: Chat.Limits.hashBits,
            payloadVersion: version)
    }

    private static func arrive(_ chat: ChatState, _ store: SegmentTable, _ number: UInt64) throws -> SegmentOutcome? {
        let name = SegmentName(
            conversationID: "bob", dayBucket: 1, writer: ChatFixture.otherLane, sequence: number)
        var outcome: SegmentOutcome?
        try store.database.transaction {
            let id = try store.write(try SegmentCodec().draft([.sample(number)], name: name))
            _ = try store.withSegment(id) { outcome = try chat.segmentArrived(id, $0) }
        }
        return outcome
    }

    /// Everything is newer to a program of payload version 0.
    @Test func aLaterProgramReadsThem() throws {
        let database = try Database(path: ":memory:")
        let store = try SegmentTable(database)
        let older = try Self.chat(database, store, knows: 0)
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(try Self.arrive(older, store, number) == .refused(.unknownVersion(1)))
        }
        try older.flush()
        #expect(try older.stats().messages == 0)
        #expect(try older.newerSegments.counts() == [NewerSegmentCount(version: 1, segments: 3)])
        let newer = try Self.chat(database, store, knows: 1)
        #expect(try newer.stats().messages == 3 && newer.stats().segments == 3)
        #expect(try newer.newerSegments.counts() == [])
        // The result is durable: segments that were read are not read again.
        let again = try Self.chat(database, store, knows: 1)
        #expect(try again.stats().messages == 3)
        #expect(try again.message(ChatMessage.sample(2).txid)?.message == .sample(2))
    }

    @Test func oneThatGoesIsNotCountedAnyMore() throws {
        let database = try Database(path: ":memory:")
        let store = try SegmentTable(database)
        let chat = try Self.chat(database, store, knows: 0)
        _ = try Self.arrive(chat, store, 1)
        try database.transaction {
            _ = try store.withSegment(1) { try chat.segmentRemoved(1, $0) }
            try store.delete(1)
        }
        #expect(try chat.newerSegments.counts() == [])
    }
}
