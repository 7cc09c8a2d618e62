import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite struct StubTableTests {
    private static let noon = WallTime(milliseconds: 1_700_000_000_000)

    private static func stub(_ number: UInt64, conversation: String? = "bob", timestamp: UInt64? = nil) -> Stub {
        Stub(
            txid: ChatMessage.sample(number).txid, conversationID: conversation, senderTimestamp: timestamp,
            hintedAt: noon)
    }

    @discardableResult
    private static func hint(_ node: ChatFixture, _ stub: Stub) throws -> HintOutcome {
        try node.database.transaction { try node.chat.hint(stub) }
    }

    @Test func aStubIsThereUntilTheBodyIsAccepted() throws {
        let node = try ChatFixture()
        #expect(try Self.hint(node, Self.stub(1)) == .new)
        #expect(try Self.hint(node, Self.stub(1)) == .known)
        let txid = ChatMessage.sample(1).txid
        #expect(try node.chat.stub(txid) == Self.stub(1))
        #expect(try node.chat.message(txid) == nil)
        #expect(try node.chat.stats().messages == 0 && node.chat.stubs.count == 1)
        try node.accept(.sample(1))
        #expect(try node.chat.stub(txid) == nil && node.chat.stubs.isEmpty)
        #expect(try node.chat.message(txid)?.message == .sample(1))
        #expect(try Self.hint(node, Self.stub(1)) == .held)
        #expect(node.chat.stubs.isEmpty)
    }

    /// Unicode considers these two names equal, but they are two conversations.
    @Test func namesThatLookAlikeAreCountedApart() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        let node = try ChatFixture()
        try node.accept(.sample(1, conversation: composed), .sample(2, conversation: decomposed))
        try Self.hint(node, Self.stub(3, conversation: composed))
        for number in [4, 5] as [UInt64] { try Self.hint(node, Self.stub(number, conversation: decomposed)) }
        let counts = try node.chat.conversationList().map { [$0.conversationID.utf8.count, $0.placeholders] }
        #expect(Set(counts) == [[5, 1], [6, 2]])
    }

    @Test func aConversationOfStubsAloneIsListedInItsPlace() throws {
        let node = try ChatFixture()
        try Self.hint(node, Self.stub(1, conversation: "cleo", timestamp: 1_600_000_000))
        #expect(try node.chat.conversationList().map(\.conversationID) == ["cleo"])
        #expect(try node.chat.reads.mark("cleo", wall: Self.noon) == nil)
        #expect(throws: ChatError.self) { try node.chat.reads.mark("nobody", wall: Self.noon) }
        #expect(try node.chat.hasConversation("cleo") && !node.chat.hasConversation("nobody"))
        try node.accept(.sample(2), .sample(3, conversation: "dee", timestamp: 1_500_000_000))
        try Self.hint(node, Self.stub(4, conversation: "cleo", timestamp: 1_550_000_000))
        try Self.hint(node, Self.stub(5))
        let list = try node.chat.conversationList()
        #expect(list.map(\.conversationID) == ["bob", "cleo", "dee"])
        #expect(list.map(\.placeholders) == [1, 2, 0] && list.map(\.messages) == [1, 0, 1])
        for summary in list { #expect(try node.chat.conversation(summary.conversationID) == summary) }
        try node.accept(.sample(4, conversation: "cleo"))
        #expect(try node.chat.conversation("cleo")?.placeholders == 1)
        // Deleting it takes the stubs too, by name, since their times are unknown.
        let (through, txids) = try node.chat.deletions.deletion(of: "cleo", wall: Self.noon)
        #expect(through != nil && txids.contains(Self.stub(1).txid))
        try node.accept(.sample(1, conversation: "cleo"))
        try Self.hint(node, Self.stub(6, conversation: "eve"))
        #expect(try node.chat.deletions.deletion(of: "eve", wall: Self.noon) == (nil, [Self.stub(6).txid]))
        #expect(throws: ChatError.self) { try node.chat.deletions.deletion(of: "nobody", wall: Self.noon) }
    }

    @Test func aSegmentResolvesIt() throws {
        let node = try ChatFixture()
        for number in 1...3 { try Self.hint(node, Self.stub(UInt64(number))) }
        try node.arrive([.sample(2), .sample(3), .sample(4)])
        #expect(try node.chat.stubs.list(limit: 10).map(\.txid) == [ChatMessage.sample(1).txid])
    }

    @Test func aMessageWithNothingToShowDoesNotResolveIt() throws {
        let node = try ChatFixture()
        try Self.hint(node, Self.stub(1))
        try node.arrive([.sample(1, body: "")])
        #expect(node.chat.stubs.count == 1)
        #expect(try Self.hint(node, Self.stub(1)) == .known)
        // Held messages are listed once.
        #expect(try node.chat.rows(conversation: "bob", limit: 10).count == 1)
        try node.arrive([.sample(1)], sequence: 1)
        #expect(node.chat.stubs.isEmpty)
    }

    @Test func itOutlivesTheProcessAndNotARollback() throws {
        let home = TemporaryDatabase()
        do { try Self.hint(ChatFixture(home.open()), Self.stub(1)) }
        let node = try ChatFixture(home.open())
        #expect(node.chat.stubs.takeFresh() == [Self.stub(1).txid])
        try node.database.begin()
        _ = try node.chat.hint(Self.stub(2))
        _ = try node.chat.accept(.sample(1), now: .zero)
        #expect(try node.chat.stub(Self.stub(2).txid) != nil && node.chat.stub(Self.stub(1).txid) == nil)
        node.database.rollback()
        #expect(try node.chat.stub(Self.stub(2).txid) == nil)
        #expect(try node.chat.stub(Self.stub(1).txid) == Self.stub(1))
        #expect(node.chat.stubs.count == 1)
    }

    @Test func aSecondHintTellsMore() throws {
        let node = try ChatFixture()
        try Self.hint(node, Self.stub(1, conversation: nil))
        #expect(try node.chat.rows(conversation: "bob", limit: 10).isEmpty)
        try Self.hint(node, Self.stub(1))
        #expect(try node.chat.rows(conversation: "bob", limit: 10) == [.stub(Self.stub(1))])
        try Self.hint(node, Self.stub(1, conversation: "ann"))
        #expect(try node.chat.stub(Self.stub(1).txid)?.conversationID == "bob")
    }

    @Test func stubsStandAmongTheMessages() throws {
        let node = try ChatFixture()
        for number in 1...40 {
            let (number, time) = (UInt64(number), 1_700_000_000 + UInt64(number))
            if number % 3 == 0 {
                try Self.hint(node, Self.stub(number, timestamp: time))
            } else {
                try node.accept(.sample(number, timestamp: time))
            }
        }
        try Self.hint(node, Self.stub(99, conversation: "ann"))
        var found: [MessageCursor] = []
        while true {
            let page = try node.chat.rows(conversation: "bob", before: found.last, limit: 7)
            guard !page.isEmpty else { break }
            found += page.map(\.cursor)
        }
        let expected = (1...40).reversed().map { ChatMessage.sample(UInt64($0)).txid }
        #expect(found.map(\.txid) == expected)
        #expect(try node.chat.stubs.list(limit: 1_000).count == 14)
    }

    @Test func aBadFieldIsRefusedAndChangesNothing() throws {
        let node = try ChatFixture()
        let long = String(repeating: "x", count: Chat.Limits.conversationIDBytes + 1)
        #expect(throws: ChatMessageError.self) { try Self.hint(node, Self.stub(1, conversation: long)) }
        #expect(throws: ChatMessageError.self) { try Self.hint(node, Self.stub(1, conversation: "")) }
        #expect(node.chat.stubs.isEmpty)
    }

    @Test func candidatesAreFoundByPrefix() throws {
        let node = try ChatFixture()
        for number in 1...5 { try Self.hint(node, Self.stub(UInt64(number))) }
        let messages = (3...9).map { ChatMessage.sample(UInt64($0)) }
        let name = SegmentName(conversationID: "bob", dayBucket: 1, writer: ChatFixture.lane, sequence: 0)
        let meta = try SegmentCodec().draft(messages, name: name).meta
        #expect(Set(node.chat.stubs.candidates(in: meta)) == Set(messages[0..<3].map(\.txid)))
    }
}
