import CSQLite
import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

/// A store without room still serves everything it holds.
@Suite struct ChatStateFullTests {
    @Test func queriesReadWhatCannotBeMerged() throws {
        let fixture = try ChatFixture()
        for number in 1...30 { try fixture.accept(.sample(UInt64(number), timestamp: 1_700_000_000 + UInt64(number))) }
        try fixture.chat.flush()
        try fixture.cut()
        for number in 31...60 { try fixture.accept(.sample(UInt64(number), timestamp: 1_700_000_000 + UInt64(number))) }
        try fixture.accept(.sample(1_000, conversation: "carol"))
        try fixture.arrive([.sample(61, timestamp: 1_700_000_061), .sample(60, timestamp: 1_700_000_060)])

        let before = try fixture.database.prepare("SELECT count(*), sum(length(entries)) FROM packed_leaf")
        func leaves() throws -> [Int64] {
            _ = try before.step()
            defer { before.reset() }
            return [before.int(0), before.int(1)]
        }
        let stored = try leaves()
        // The merge finds no room, and the derivation behind it writes nothing.
        var commits = 0
        fixture.database.probe = { operation throws(DatabaseError) in
            guard case .commit = operation else { return }
            commits += 1
            if commits == 1 { throw DatabaseError(code: SQLITE_FULL, message: "database or disk is full") }
        }
        for _ in 0..<3 {
            let listed = try fixture.listing("bob", pageSize: 7)
            #expect(listed.count == 61)
            #expect(Set(listed.map(\.message.txid)).count == 61)
            let list = try fixture.chat.conversationList()
            #expect(list.map(\.conversationID).sorted() == ["bob", "carol"])
            #expect(list.map(\.messages).reduce(0, +) == 62)
            #expect(try fixture.chat.hasConversation("carol"))
            #expect(try fixture.chat.message(ChatMessage.sample(45).txid) != nil)
            #expect(try fixture.chat.allMessages().count == 62)
        }
        let stats = try fixture.chat.stats()
        #expect(stats.messages == 62 && stats.conversations == 2 && stats.unflushed == 0)
        #expect(commits == 2, "no further one was tried")
        let query = try SearchQuery("text 45")
        let hits = try MessageSearch.all(fixture.chat, for: query, limit: 100)
        #expect(hits.map(\.message.txid) == [ChatMessage.sample(45).txid])
        #expect(try leaves() == stored, "nothing was written")
        #expect(!fixture.database.inTransaction)

        // There is room again, and everything continues where it stopped.
        fixture.database.probe = nil
        fixture.chat.noteRoom()
        try fixture.accept(.sample(62, timestamp: 1_700_000_062))
        #expect(try fixture.listing("bob").count == 62)
        #expect(!fixture.chat.hasUnflushed)
        #expect(try fixture.chat.stats().messages == 63)
    }
}
