import Chat
import NodeCore
import SyncState
import Testing

@testable import Gossip

/// A node that is far behind shows the latest messages first.
@Suite struct SyncNewestTests {
    /// Segments of four messages, as a talk with many people at once gives them: few messages a record.
    private static let inSegment = 4
    private static let segments = 800
    private static let newest = 1_400

    private static func message(_ number: Int) -> ChatMessage {
        var random = SeededRandom(seed: UInt64(number))
        return ChatMessage(
            txid: random.identifier(), conversationID: "c\(number / inSegment % 7)", contact: "ada",
            direction: .received, senderTimestamp: 1_700_000_000 + UInt64(number), acceptingDaaScore: UInt64(number),
            status: .confirmed, body: "Message \(number)")
    }

    @Test func theNewestMessagesComeBeforeTheBacklog() throws {
        let (phone, laptop) = (try SyncBench(1), try SyncBench(2))
        let count = Self.segments * Self.inSegment
        for number in 0..<count {
            _ = try phone.zone.accept(Self.message(number), now: phone.now)
            if number % Self.inSegment == Self.inSegment - 1 { try phone.zone.cut(force: true, now: phone.now) }
        }
        try phone.turn()
        _ = phone.takeOutbox(SessionID(1))

        let id = SessionID(1)
        laptop.faces(phone)
        try laptop.open(id, isInitiator: true)
        try phone.open(id)
        var readable = 0
        for _ in 0..<400 where readable < Self.newest {
            let (mine, theirs) = (laptop.takeOutbox(id), phone.takeOutbox(id))
            try phone.take(mine, on: id)
            try laptop.take(theirs, on: id)
            try phone.produce(id)
            try laptop.produce(id)
            // The total is known with the last record, and no progress bar shows anything before.
            if laptop.sync.sessions[id]?.hasView == true, laptop.store.recordCount < phone.store.recordCount {
                #expect(laptop.sync.isFetchingRecords(on: id))
            }
            while readable < Self.newest,
                try laptop.zone.chat.message(Self.message(count - 1 - readable).txid) != nil
            {
                readable += 1
            }
        }
        #expect(readable == Self.newest)
        // None of the older records or blobs has come yet.
        #expect(laptop.store.fetched.blobs <= Int(Limits.peekRows))
        #expect(laptop.store.recordCount <= Int(Limits.peekRows) + 8)
        try laptop.talk(phone, id)
        #expect(!laptop.sync.isFetchingRecords(on: id))
        #expect(laptop.store.wantedCount == 0 && laptop.store.digest == phone.store.digest)
        #expect(try laptop.zone.chat.stats().messages == count)
    }
}
