import Chat
import Ledger
import NodeCore
import SyncState
import Testing

@testable import Gossip

/// A missing message's body comes from any peer that has it, before everything else.
@Suite struct SyncFindTests {
    /// - Parameter previews: attachments of 12 KiB each, which do not compress.
    private static func message(_ number: UInt64, previews: Int = 0, day: UInt64 = 19_000) -> ChatMessage {
        var random = SeededRandom(seed: number)
        let txid = random.identifier(TxID.self)
        let bytes = Chat.Limits.inlineAttachmentBytes
        let attachments = (0..<previews).map { _ in
            ChatAttachment(mimeType: "image/jpeg", sizeBytes: UInt64(bytes), inline: random.bytes(bytes))
        }
        return ChatMessage(
            txid: txid, conversationID: "c", contact: "ada", direction: .sent,
            senderTimestamp: day * 86_400 + number, status: .pending, body: "Message \(number)",
            attachments: attachments)
    }

    private static func hint(_ node: SyncBench, _ message: ChatMessage) throws {
        #expect(
            try node.zone.hint(
                Stub(txid: message.txid, conversationID: "c", hintedAt: WallTime(milliseconds: 0))) == .new)
        try node.turn()
    }

    private static func asked(_ messages: [Message]) -> [TxID] {
        messages.flatMap { if case .find(let txids) = $0 { txids } else { [TxID]() } }
    }

    @Test func whatWaitsInAQueueIsCutForWhoAsks() throws {
        let (phone, laptop) = (try SyncBench(1), try SyncBench(2))
        try phone.meet(laptop, SessionID(1))
        let (sent, other) = (Self.message(1), Self.message(2, day: 19_001))
        for message in [sent, other] { _ = try phone.zone.accept(message, now: phone.now) }
        try phone.turn()
        try Self.hint(laptop, sent)
        try laptop.talk(phone, SessionID(1))
        #expect(try laptop.zone.chat.message(sent.txid)?.message == sent)
        #expect(laptop.zone.chat.stubs.isEmpty)
        // Only its group was cut.
        #expect(phone.zone.chat.queuedCount == 1)
    }

    @Test func aHintedBodyOvertakesABacklog() throws {
        let (phone, laptop) = (try SyncBench(1), try SyncBench(2))
        for number in 1...240 {
            _ = try phone.zone.accept(Self.message(UInt64(number), previews: 3), now: phone.now)
            try phone.zone.cut(force: true, now: phone.now)
        }
        try phone.turn()
        let id = SessionID(1)
        laptop.faces(phone)
        try laptop.open(id, isInitiator: true)
        try phone.open(id)
        // Some way into the restore, the oldest messages are hinted.
        func step() throws {
            let (mine, theirs) = (laptop.takeOutbox(id), phone.takeOutbox(id))
            try phone.take(mine, on: id)
            try laptop.take(theirs, on: id)
            try phone.produce(id, budgetBytes: 100_000)
            try laptop.produce(id)
        }
        for _ in 0..<12 { try step() }
        let hinted = (1...3).map { Self.message(UInt64($0), previews: 3) }
        for message in hinted { try Self.hint(laptop, message) }
        let before = laptop.store.wantedCount
        #expect(before > 150)
        // They take one round trip, ahead of all that was asked for and not made yet.
        for _ in 0..<2 { try step() }
        #expect(laptop.zone.chat.stubs.isEmpty)
        for message in hinted { #expect(try laptop.zone.chat.message(message.txid)?.message == message) }
        // Of the backlog, only what was already made has come.
        #expect(laptop.store.wantedCount > before - hinted.count - 12)
        #expect(laptop.sync.sessions[id]?.askedBytes ?? 0 <= Limits.wantedBytesInFlight)
        // While somebody may be waiting, little is asked for at a time.
        func askedBytes() -> Int { laptop.sync.sessions[id]?.askedBytes ?? 0 }
        for _ in 0..<60 where askedBytes() > Limits.wantedBytesWhileAsking / 2 { try step() }
        for _ in 0..<2 { try step() }
        #expect(askedBytes() > 0 && askedBytes() <= Limits.wantedBytesWhileAsking + 60_000)
        #expect(laptop.store.wantedCount > laptop.sync.wants.inFlight.count)
        try laptop.talk(phone, id)
        #expect(laptop.store.wantedCount == 0)
    }

    @Test func aSearchAmongTheWantedNeedsNoPeer() throws {
        let (phone, laptop) = (try SyncBench(1), try SyncBench(2))
        let messages = (1...300).map { Self.message(UInt64($0)) }
        for message in messages {
            _ = try phone.zone.accept(message, now: phone.now)
            try phone.zone.cut(force: true, now: phone.now)
        }
        try phone.turn()
        for row in phone.store.takeWritten() { _ = row }
        _ = try laptop.zone.membership.records.take(
            phone.zone.membership.records.records.map(\.encoded))
        for record in try phone.store.newest(of: phone.zone.lane, count: 1_000) {
            try laptop.store.put(Record(encoded: record))
        }
        try Self.hint(laptop, messages[5])
        #expect(laptop.sync.search(for: messages[5].txid)?.isLocated == false)
        for _ in 0..<6 { try laptop.pass(.milliseconds(300)) }
        #expect(laptop.sync.search(for: messages[5].txid)?.isLocated == true)
    }

    @Test func itIsAskedForAgainAndOfEachNewPeer() throws {
        let (phone, laptop) = (try SyncBench(1), try SyncBench(2))
        let missed = Self.message(1)
        try Self.hint(laptop, missed)
        #expect(laptop.sync.search(for: missed.txid)?.askedAt == nil)
        try phone.meet(laptop, SessionID(1))
        #expect(laptop.sync.search(for: missed.txid)?.askedAt == .zero)
        for seconds in [3, 6, 12] {
            try laptop.pass(.seconds(seconds))
            #expect(Self.asked(laptop.takeOutbox(SessionID(1))) == [missed.txid])
        }
        // A device with the message connects.
        let tablet = try SyncBench(3)
        _ = try tablet.zone.accept(missed, now: .zero)
        try tablet.turn()
        tablet.now = laptop.now
        try laptop.meet(tablet, SessionID(2))
        #expect(try laptop.zone.chat.message(missed.txid)?.message == missed)
        #expect(laptop.sync.search(for: missed.txid) == nil || laptop.zone.chat.stubs.isEmpty)
    }

    @Test func aNewRecordIsAReasonToAskAgain() throws {
        let (phone, laptop) = (try SyncBench(1), try SyncBench(2))
        try phone.meet(laptop, SessionID(1))
        let missed = Self.message(1)
        try Self.hint(laptop, missed)
        try laptop.talk(phone, SessionID(1))
        try laptop.pass(.seconds(4))
        try laptop.talk(phone, SessionID(1))
        // The phone gets the message and queues it, then sends something else.
        _ = try phone.zone.accept(missed, now: phone.now)
        try phone.zone.opaque.add(name: "something", [1])
        try phone.turn()
        try laptop.talk(phone, SessionID(1))
        #expect(try laptop.zone.chat.message(missed.txid)?.message == missed)
    }

    @Test func manyStubsOutliveAStoreThatFails() throws {
        let laptop = try SyncBench(2)
        let missed = Self.message(1)
        try Self.hint(laptop, missed)
        _ = try laptop.zone.hint(Stub(txid: Self.message(2).txid, hintedAt: WallTime(milliseconds: 0)))
        laptop.sync.abandon()
        try laptop.zone.rollback()
        try laptop.turn()
        #expect(laptop.sync.search(for: missed.txid) != nil && laptop.sync.search(for: Self.message(2).txid) == nil)
    }

    @Test func questionsAndAnswersOutOfBoundsEndTheSession() throws {
        var peer = ScriptedPeer(9)
        for bad in [
            Message.find((0...UInt64(Limits.findsPerMessage)).map { TxID(Bytes32($0, 1, 2, 3)) }),
            Message.found(record: [0x83, 1, 2, 3], blob: []),
        ] {
            let node = try SyncBench(1)
            try peer.greet(node, SessionID(1))
            try node.take(bad, on: SessionID(1))
            #expect(node.isViolation(SessionID(1)))
        }
    }

    @Test func anAnswerNobodyAskedForIsARecordLikeAnyOther() throws {
        var peer = ScriptedPeer(9)
        let node = try SyncBench(1)
        try peer.greet(node, SessionID(1))
        // The blob is not the one that the record names.
        try node.take(.found(record: peer.fact(1).encoded, blob: [1, 2, 3]), on: SessionID(1))
        #expect(node.closed[SessionID(1)] == nil && node.store.recordCount == 1)
    }

    /// A phone with these messages in segments, and a laptop that has met it and knows none of them.
    private static func apart(_ messages: [ChatMessage]) throws -> (phone: SyncBench, laptop: SyncBench) {
        let (phone, laptop) = (try SyncBench(1), try SyncBench(2))
        try phone.meet(laptop, id)
        for message in messages { _ = try phone.zone.accept(message, now: phone.now) }
        return (phone, laptop)
    }

    private static let id = SessionID(1)

    private static func answers(_ messages: [Message]) -> [(record: Record, blob: ArraySlice<UInt8>)] {
        messages.compactMap {
            guard case .found(let bytes, let blob) = $0, let record = try? Record(encoded: bytes) else { return nil }
            return (record, blob)
        }
    }

    @Test func aFewBodiesComeWithTheAnswer() throws {
        let messages = [Self.message(1), Self.message(2, previews: 5, day: 19_001)]
        let (phone, laptop) = try Self.apart(messages)
        try phone.take(.find(messages.map(\.txid)), on: Self.id)
        try phone.produce(Self.id)
        let found = Self.answers(phone.takeOutbox(Self.id))
        #expect(found.map { $0.record.blob?.sizeBytes ?? 0 > Gossip.Limits.payloadBytes } == [false, true])
        // The long one does not fit, so it is asked for.
        #expect(found.map(\.blob.count) == [found[0].record.blob?.sizeBytes, 0])

        try Self.hint(laptop, messages[0])
        _ = laptop.takeOutbox(Self.id)
        try laptop.take(.found(record: found[0].record.encoded, blob: found[0].blob), on: Self.id)
        #expect(laptop.zone.chat.stubs.isEmpty && laptop.store.wantedCount == 0)
        #expect(!laptop.takeOutbox(Self.id).contains { if case .want = $0 { true } else { false } })
    }

    @Test func manyBodiesComeFromOnePeerOnly() throws {
        let messages = (0...UInt64(Limits.findsWithBlobs)).map { Self.message($0, day: 19_000 + $0) }
        let (phone, _) = try Self.apart(messages)
        try phone.take(.find(messages.map(\.txid)), on: Self.id)
        for _ in 0..<4 { try phone.produce(Self.id) }
        let found = Self.answers(phone.takeOutbox(Self.id))
        #expect(found.count == messages.count && found.allSatisfy(\.blob.isEmpty))
    }

    @Test func aFalseBodyEndsTheSession() throws {
        let message = Self.message(1)
        let (phone, laptop) = try Self.apart([message])
        try phone.zone.cut(force: true, now: phone.now)
        let record = try #require(phone.store.takeWritten().last?.record)
        let bytes = [UInt8](repeating: 7, count: record.blob?.sizeBytes ?? 0)
        try Self.hint(laptop, message)
        try laptop.take(.found(record: record.encoded, blob: bytes[...]), on: Self.id)
        #expect(laptop.closed[Self.id] == .badBlob)
        #expect(laptop.store.wantedCount == 1 && laptop.zone.chat.stubs.contains(message.txid))
    }

    /// The blob is too long to come with the answer, and is already on its way behind others.
    @Test func whatIsOnItsWayIsAskedForOnceMore() throws {
        let (phone, laptop) = (try SyncBench(1), try SyncBench(2))
        let messages = (1...30).map { Self.message(UInt64($0), previews: 5) }
        for message in messages {
            _ = try phone.zone.accept(message, now: phone.now)
            try phone.zone.cut(force: true, now: phone.now)
        }
        try phone.turn()
        laptop.faces(phone)
        try laptop.open(Self.id, isInitiator: true)
        try phone.open(Self.id)
        while laptop.sync.wants.inFlight.count < 5 {
            let (mine, theirs) = (laptop.takeOutbox(Self.id), phone.takeOutbox(Self.id))
            try phone.take(mine, on: Self.id)
            try laptop.take(theirs, on: Self.id)
            if laptop.sync.wants.inFlight.isEmpty { try phone.produce(Self.id) }
        }
        // The newest are on their way; the last of them is hinted, and its place is told.
        func isOnItsWay(_ message: ChatMessage) throws -> Bool {
            let record = try #require(try phone.zone.record(holding: message.txid))
            guard let wanted = try laptop.store.wanted(record) else { return false }
            return laptop.sync.wants.inFlight.contains(wanted.row)
        }
        let hinted = try #require(try messages.first { try isOnItsWay($0) })
        let record = try #require(try phone.zone.record(holding: hinted.txid))
        #expect(hinted.txid != messages[0].txid && hinted.txid != messages[29].txid)
        try Self.hint(laptop, hinted)
        for _ in 0..<2 { try laptop.take(.found(record: record.encoded, blob: []), on: Self.id) }
        let outbox = laptop.takeOutbox(Self.id)
        let asked = outbox.compactMap {
            if case .want(.recent, let groups) = $0 { groups.flatMap(\.blobs).map(\.seq) } else { nil as [UInt64]? }
        }
        #expect(asked == [[record.seq]])
        try phone.take(outbox, on: Self.id)
        try laptop.talk(phone, Self.id)
        #expect(laptop.store.wantedCount == 0 && laptop.sync.wants.inFlight.isEmpty)
        #expect(laptop.closed.isEmpty && phone.closed.isEmpty)
    }
}
