import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite struct ArchiveQueueTests {
    @Test func twentyFiveMessagesAreASegment() throws {
        let node = try ChatFixture()
        for number in 1...24 { try node.accept(.sample(UInt64(number))) }
        #expect(node.chat.nextCutDeadline == .zero + .seconds(300))
        #expect(try node.cut(force: false) == 0)
        try node.accept(.sample(25), now: .zero + .seconds(7))
        #expect(node.chat.nextCutDeadline == .zero + .seconds(7))
        #expect(try node.cut(force: false, now: .zero + .seconds(7)) == 1)
        #expect(node.chat.queuedCount == 0 && node.chat.nextCutDeadline == nil)
        #expect(try node.store.contents().map(\.messages.count) == [25])
    }

    @Test func whatDoesNotFillASegmentStays() throws {
        let node = try ChatFixture()
        try node.database.transaction {
            for number in 1...60 {
                _ = try node.chat.accept(.sample(UInt64(number), score: UInt64(number)), now: .zero)
            }
        }
        #expect(try node.cut(force: false) == 2)
        #expect(node.chat.queuedCount == 10)
        #expect(try node.cut(force: true) == 1)
        #expect(try node.store.contents().map(\.messages.count) == [25, 25, 10])
    }

    @Test func aHundredAndTwentyEightKibibytesAreASegment() throws {
        let node = try ChatFixture()
        let body = String(repeating: "long ", count: 10_000)
        for number in 1...2 { try node.accept(.sample(UInt64(number), body: body)) }
        #expect(try node.cut(force: false) == 0)
        try node.accept(.sample(3, body: body))
        #expect(try node.cut(force: false) == 1)
        #expect(try node.store.contents().map(\.messages.count) == [2])
        #expect(node.chat.queuedCount == 1)
    }

    @Test func theLargestMessageFitsABlob() throws {
        let node = try ChatFixture()
        var random = SeededRandom(seed: 3)
        func noise(_ count: Int) -> String {
            String(decoding: random.bytes(count).map { 33 + $0 % 94 }, as: UTF8.self)
        }
        var message = ChatMessage.sample(1, body: noise(Chat.Limits.bodyBytes))
        for number in 0..<Chat.Limits.attachments {
            message.attachments.append(
                ChatAttachment(
                    link: noise(Chat.Limits.attachmentLinkBytes), mimeType: noise(Chat.Limits.mimeTypeBytes),
                    sizeBytes: Chat.Limits.attachmentNumber, durationMilliseconds: Chat.Limits.attachmentNumber,
                    width: Chat.Limits.attachmentNumber, height: Chat.Limits.attachmentNumber,
                    inline: random.bytes(number < 5 ? 12_288 : number == 5 ? 4_096 : 0)))
        }
        try node.accept(message)
        try node.cut()
        let sizes = try node.database.prepare("SELECT max(length(blob)) FROM segment")
        #expect(try sizes.step() && sizes.int(0) > 140_000 && sizes.int(0) < Chat.Limits.sealedSegmentBytes)
        #expect(try node.chat.message(message.txid)?.message == message)
        message.attachments[6].inline = [1]
        #expect(
            throws: ChatMessageError(
                field: "attachments.inline of all", reason: .tooLong(bytes: 65_537, limit: 65_536))
        ) { try node.accept(message) }
    }

    @Test func fiveMinutesAfterTheFirstItIsCut() throws {
        let node = try ChatFixture()
        try node.accept(.sample(1), now: .zero + .seconds(10))
        try node.accept(.sample(2), now: .zero + .seconds(200))
        try node.accept(.sample(3, conversation: "ann"), now: .zero + .seconds(20))
        #expect(node.chat.nextCutDeadline == .zero + .seconds(310))
        #expect(try node.cut(force: false, now: .zero + .seconds(309)) == 0)
        #expect(try node.cut(force: false, now: .zero + .seconds(310)) == 1)
        #expect(node.chat.nextCutDeadline == .zero + .seconds(320))
        #expect(try node.store.contents().map(\.messages.count) == [2])
    }

    @Test func daysAndConversationsAreCutApart() throws {
        let node = try ChatFixture()
        try node.accept(
            .sample(1, timestamp: 86_399), .sample(2, timestamp: 86_400), .sample(3, conversation: "ann", timestamp: 1))
        #expect(try node.cut() == 3)
        try node.accept(.sample(4, timestamp: 86_398))
        try node.cut()
        var names: [String] = []
        try node.store.forEachSegment(after: 0) { _, sealed in
            names.append(sealed.name.text)
            return true
        }
        let hex = ChatFixture.lane.hex
        #expect(names == ["seg.bob.0.\(hex).0", "seg.bob.1.\(hex).0", "seg.ann.0.\(hex).0", "seg.bob.0.\(hex).1"])
    }

    @Test func bodiesDoNotLieInClear() throws {
        let node = try ChatFixture()
        try node.accept(.sample(1, body: "the secret of the queue"))
        let rows = try node.database.prepare("SELECT sealed FROM queue")
        #expect(try rows.step())
        let sealed = rows.blob(0)
        let needle = Array("secret".utf8)
        #expect(!(0...sealed.count - needle.count).contains { Array(sealed[$0..<$0 + needle.count]) == needle })
    }

    @Test func aQueueUnderAnotherKeyStaysAndStopsNothing() throws {
        let home = TemporaryDatabase()
        do { try ChatFixture(home.open()).accept(.sample(1)) }
        let database = try home.open()
        let store = try SegmentTable(database)
        let chat = try ChatState(
            database: database, lane: ChatFixture.lane, queueKey: Secret(bytes: [UInt8](repeating: 8, count: 32)),
            source: store, random: SeededRandom(seed: 1), now: .zero)
        _ = try database.transaction { try chat.accept(.sample(2), now: .zero) }
        #expect(try database.transaction { try chat.cut(force: true, now: .zero) { try store.write($0) } } == 1)
        #expect(chat.nextCutDeadline == nil)
        let rows = try database.prepare("SELECT count(*) FROM queue")
        #expect(try rows.step() && rows.int(0) == 1)
    }

    @Test func txidsThatBeginAlikeDoNotShareAPlace() throws {
        let home = TemporaryDatabase()
        let txids = (0..<40).map { TxID(Bytes32(0, 0, 0, $0)) }
        for isReopened in [false, true] {
            let node = try ChatFixture(home.open())
            if !isReopened { for txid in txids { try node.accept(txid.made) } }
            for txid in txids {
                let rows = try node.chat.queue.rows(hash: node.chat.index.hash(txid))
                #expect(rows.count == 1)
                #expect(try rows.compactMap { try node.chat.queue.message(row: $0)?.txid } == [txid])
            }
            // Removed and added rows are followed.
            guard isReopened else { continue }
            let gone = txids[7]
            try node.database.transaction { try node.chat.deletions.erase(.message(gone)) }
            #expect(try node.chat.queue.rows(hash: node.chat.index.hash(gone)).isEmpty)
        }
    }

    /// A copy of the same words in another conversation replaces none, since its lane may stop counting.
    @Test func aCopyThatSaysItOfSomebodyElseReplacesNone() throws {
        let node = try ChatFixture()
        let copies = (0..<8).map { number in
            var copy = ChatMessage.sample(1, score: 1)
            copy.contact = "contact \(number)"
            return copy
        }
        let queued = try #require(copies.last { copy in copies.contains { $0.isPreferred(over: copy) } })
        let preferred = try #require(copies.first { $0.isPreferred(over: queued) })
        try node.accept(queued)
        try node.arrive([preferred])
        #expect(node.chat.queuedCount == 1)
        #expect(try node.chat.message(queued.txid)?.message == preferred)
        try node.arrive([queued], sequence: 2)
        #expect(node.chat.queuedCount == 0)
    }

    @Test func aDeadlineOutlivesARollback() throws {
        let node = try ChatFixture()
        try node.accept(.sample(1), now: .zero + .seconds(10))
        try node.database.begin()
        _ = try node.chat.accept(.sample(2), now: .zero + .seconds(250))
        node.database.rollback()
        #expect(node.chat.nextCutDeadline == .zero + .seconds(310))
        #expect(node.chat.queuedCount == 1)
    }
}

extension TxID {
    /// A message with this txid.
    fileprivate var made: ChatMessage {
        ChatMessage(
            txid: self, conversationID: "bob", contact: "bob", direction: .received, senderTimestamp: 1_700_000_000,
            status: .pending, body: hex)
    }
}
