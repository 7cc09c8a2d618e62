import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite struct ChatStateTests {
    @Test func aMessageIsNewOnce() throws {
        let node = try ChatFixture()
        let message = ChatMessage.sample(1, score: 5, blockTime: 6)
        #expect(try node.accept(message, message) == [.new, .known])
        try node.chat.flush()
        #expect(try node.accept(message) == [.known])
        try node.cut()
        #expect(try node.accept(message) == [.known])
        #expect(try node.chat.stats().messages == 1)
        #expect(try node.chat.messages(conversation: "nobody", limit: 5).isEmpty)
        #expect(try node.chat.message(.init(Bytes32(9, 9, 9, 9))) == nil)
        #expect(throws: ChatMessageError.self) { try node.accept(.sample(2, conversation: "")) }
    }

    @Test func aQueuedMessageLearnsFromTheChain() throws {
        let node = try ChatFixture()
        #expect(try node.accept(.sample(1, body: "hi")) == [.new])
        try node.chat.flush()
        #expect(try node.accept(.sample(1, blockTime: 77, body: "hi")) == [.upgraded])
        #expect(try node.accept(.sample(1, score: 5, blockTime: 77, body: "hi")) == [.upgraded])
        // An app that knows less takes nothing away.
        #expect(try node.accept(.sample(1, body: "hi")) == [.known])
        let listed = try node.listing("bob")
        #expect(listed.map(\.message.acceptingDaaScore) == [5])
        #expect(listed.map(\.message.status) == [.confirmed])
    }

    @Test func aSegmentOfAnotherDeviceSparesUsOurs() throws {
        let node = try ChatFixture()
        try node.accept(.sample(1), .sample(2))
        try node.chat.flush()
        try node.accept(.sample(3))
        try node.arrive([.sample(1), .sample(3)])
        #expect(node.chat.queuedCount == 1)
        try node.cut()
        #expect(try node.store.contents().map(\.messages.count) == [2, 1])
        #expect(try node.listing("bob").count == 3)
    }

    @Test func aBadSegmentIsRefusedAndStopsNothing() throws {
        let node = try ChatFixture()
        try node.arrive([.sample(1)])
        let id = try node.store.insert(
            name: Array("seg.bob.1.\(ChatFixture.lane.hex).9".utf8), header: [], blob: [UInt8](repeating: 3, count: 90))
        _ = try node.store.withSegment(id) { sealed in
            let outcome = try node.chat.segmentArrived(id, sealed)
            #expect(outcome == .refused(.notAuthentic))
        }
        try node.arrive([.sample(2)])
        #expect(try node.listing("bob").count == 2)
        let stats = try node.chat.stats()
        #expect(stats.segments == 2 && stats.messages == 2)
    }

    @Test(arguments: [true, false]) func aDamagedSegmentHeals(isFlushed: Bool) throws {
        let node = try ChatFixture()
        let messages = (1...5).map { ChatMessage.sample(UInt64($0), score: UInt64($0)) }
        let id = try node.arrive(messages)
        if isFlushed { #expect(try node.listing("bob").count == 5) }
        try node.database.execute("UPDATE segment SET blob = zeroblob(length(blob))")
        try node.remove(id)
        #expect(try node.listing("bob").isEmpty)
        #expect(try node.chat.message(messages[0].txid) == nil)
        #expect(try node.chat.stats().messages == 0)
        try node.arrive(messages)
        #expect(try node.listing("bob").map(\.message) == messages.reversed())
        let stats = try node.chat.stats()
        #expect(stats.messages == 5 && stats.unread == 5 && stats.segments == 1)
        #expect(try node.chat.message(messages[0].txid)?.message == messages[0])
    }

    @Test func messagesAreReadUpToTheMark() throws {
        let node = try ChatFixture()
        for number in 1...9 {
            try node.accept(.sample(UInt64(number), score: UInt64(number), blockTime: UInt64(number)))
        }
        try node.accept(.sample(10, timestamp: 5, blockTime: 8_000), .sample(11, timestamp: 9))
        try node.accept(.sample(12, direction: .sent, timestamp: 10))
        func unread() throws -> Int { try node.chat.stats().unread }
        func mark(_ txid: TxID? = nil, own: ReadMarker? = nil) throws -> ReadMarker? {
            let marker = try node.chat.reads.mark("bob", upTo: txid, wall: WallTime(milliseconds: 3), own: own)
            if let marker {
                try node.chat.reads.follow([ReadMark(lane: ChatFixture.lane, marker: marker)], in: "bob")
            }
            return marker
        }
        let fifth = ChatMessage.sample(5)
        let marker = try #require(try mark(fifth.txid))
        #expect(marker.bounds == [ReadBound(txid: fifth.txid, acceptingDaaScore: 5, timeMilliseconds: 5)])
        #expect(try unread() == 6)
        #expect(try mark(ChatMessage.sample(2).txid, own: marker) == nil)
        // Without a txid this is the latest received, which has no score and is in no block. So the last message with a
        // score and the last one in a block are named too.
        let last = try #require(try mark(own: marker))
        #expect(Set(last.bounds.map(\.txid)) == Set([9, 10, 11].map { ChatMessage.sample($0).txid }))
        let position = try node.chat.reads.position(of: "bob")
        #expect(position.scorePoint?.acceptingDaaScore == 9 && position.timeMilliseconds == 9_000)
        #expect(try unread() == 0)
        let summary = try #require(try node.chat.conversationList().first)
        #expect(summary.lastReadTxID == ChatMessage.sample(11).txid && summary.lastReadBy == ChatFixture.lane)
        #expect(summary.lastTxID == ChatMessage.sample(12).txid)
        // Messages later in the order are unread.
        try node.accept(.sample(20, timestamp: 20, score: 10, blockTime: 20_000))
        try node.chat.flush()
        #expect(try unread() == 1)
        #expect(throws: ChatError.unknownConversation) {
            try node.chat.reads.mark("nobody", wall: WallTime(milliseconds: 5))
        }
        #expect(throws: ChatError.unknownMessage) {
            try node.chat.reads.mark("bob", upTo: .init(Bytes32(1, 2, 3, 4)), wall: WallTime(milliseconds: 5))
        }
    }

    @Test func aMarkFromElsewhereWaitsForItsMessage() throws {
        let node = try ChatFixture()
        let bound = ReadBound(.sample(5, score: 5))
        let marker = ReadMarker(conversationID: "bob", bounds: [bound], readAt: WallTime(milliseconds: 1))
        func follow() throws -> Bool {
            try node.chat.reads.follow([ReadMark(lane: ChatFixture.otherLane, marker: marker)], in: "bob")
        }
        #expect(try !follow())
        #expect(try node.chat.conversationList().isEmpty)
        for number in [1, 2, 3, 4, 6, 7, 8, 9] { try node.accept(.sample(UInt64(number), score: UInt64(number))) }
        #expect(try !follow())
        #expect(try node.chat.conversationList().first?.unread == 8)
        try node.accept(.sample(5, score: 5))
        #expect(try follow())
        #expect(try !follow())
        #expect(try node.chat.stats().unread == 4)
        #expect(try node.chat.conversationList().first?.lastReadBy == ChatFixture.otherLane)
    }

    /// Conversations are sorted by their newest messages. A message that never came into a block has its sender's time.
    @Test func theNewestConversationIsListedFirstInWhateverOrderTheyCame() throws {
        let messages = [
            ChatMessage.sample(1, conversation: "old", score: 5, blockTime: 5_000),
            .sample(2, conversation: "new", timestamp: 1, score: 9, blockTime: 9_000),
            .sample(3, conversation: "middle", score: 7, blockTime: 7_000),
            .sample(4, conversation: "ahead", score: 7, blockTime: 7_000),
            .sample(5, conversation: "pending", timestamp: 8), .sample(6, conversation: "stuck", timestamp: 2),
            .sample(7, conversation: "new", timestamp: 3), .sample(8, conversation: "new", blockTime: 4_000),
        ]
        for arrival in [messages, messages.reversed()] {
            let node = try ChatFixture()
            for message in arrival { try node.accept(message) }
            let listed = try node.chat.conversationList()
            #expect(listed.map(\.conversationID) == ["new", "pending", "ahead", "middle", "old", "stuck"])
            #expect(listed[0].lastTxID == messages[1].txid && listed[0].lastBlockTime == 9_000)
        }
    }

    /// This also holds after a start, since what is shown of each conversation's newest message is kept, sealed.
    @Test func theListOpensNoSegment() throws {
        let home = TemporaryDatabase()
        var held: ChatFixture? = try ChatFixture(home.open())
        func node() throws -> ChatFixture { try #require(held) }
        let title = "a contact that nobody is to read at rest"
        for number in 1...20 {
            var message = ChatMessage.sample(UInt64(number), conversation: "c\(number % 5)", score: UInt64(number))
            message.contact = title
            try node().accept(message)
        }
        try node().cut()
        let before = try node().chat.conversationList()
        #expect(before.map(\.contact) == Array(repeating: title, count: 5))
        held = nil
        held = try ChatFixture(home.open())
        #expect(try node().database.snapshot().firstRange(of: Array(title.utf8)) == nil)
        try node().database.execute("UPDATE segment SET blob = x''")
        #expect(try node().chat.conversationList() == before)
        // The newest messages from before an update, or of a damaged index, are found again.
        try node().database.execute("UPDATE conversation SET newest = x'00' WHERE id = 2")
        held = nil
        held = try ChatFixture(home.open())
        #expect(try node().chat.conversationList().map(\.contact).filter { $0.isEmpty }.count == 1)
    }

    @Test func theListsHaveEverything() throws {
        let node = try ChatFixture()
        for number in 1...30 { try node.accept(.sample(UInt64(number), conversation: "c\(number % 3)")) }
        #expect(try Set(node.chat.allMessages().map(\.message.txid)).count == 30)
    }

    @Test func aFullDiskLosesNothingAccepted() throws {
        let home = TemporaryDatabase()
        var node: ChatFixture? = try ChatFixture(home.open())
        for number in 1...20 { try node?.accept(.sample(UInt64(number))) }
        try node?.chat.flush()
        func pageCount() throws -> Int64 {
            let pages = try #require(node).database.prepare("PRAGMA page_count")
            _ = try pages.step()
            return pages.int(0)
        }
        try node?.database.execute("PRAGMA max_page_count = \(pageCount() + 2)")
        var accepted = 20
        var isFull = false
        while !isFull, accepted < 5_000 {
            do {
                try node?.accept(.sample(UInt64(accepted + 1), body: String(repeating: "x", count: 9_000)))
                accepted += 1
            } catch let error as DatabaseError {
                #expect(error.isDiskFull)
                isFull = true
            }
        }
        #expect(isFull)
        let stats = try node?.chat.stats()
        #expect(stats?.messages == accepted)
        try node?.database.execute("PRAGMA max_page_count = 1000000")
        #expect(try node?.listing("bob").count == accepted)
        node = nil
        #expect(try ChatFixture(home.open()).listing("bob").count == accepted)
    }

    /// The tree knows the order of txids that begin alike only as a whole; a cursor has the whole txid.
    @Test func aPageHasNoMoreThanItsLimitWhereTxidsBeginAlike() throws {
        let node = try ChatFixture()
        let messages = (1...5).map { number in
            var message = ChatMessage.sample(UInt64(number))
            message.txid = TxID(Bytes32(7, 0, 0, UInt64(number * 3 % 5)))
            message.senderTimestamp = 1_700_000_000
            return message
        }
        try node.arrive(Array(messages[..<2]))
        try node.arrive(Array(messages[2...]))
        for limit in 1...6 {
            #expect(try node.chat.messages(conversation: "bob", limit: limit).count == min(limit, 5))
            let listed = try node.listing("bob", pageSize: limit).map(\.message.txid)
            #expect(listed == messages.map(\.txid).sorted().reversed())
        }
    }

    @Test func cursorsComeBackAsTheyWent() {
        let cursor = MessageCursor(order: MessageOrder(word: .max), txid: ChatMessage.sample(3).txid)
        #expect(MessageCursor(text: cursor.text) == cursor)
        for text in ["", "-", "x-y", "1-", "1-abc", "\(cursor.text)0"] { #expect(MessageCursor(text: text) == nil) }
    }
}
