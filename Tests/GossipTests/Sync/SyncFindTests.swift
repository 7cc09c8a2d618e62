import NodeCore
import SyncState
import Testing

@testable import Gossip

/// A message whose body is missed comes from whoever has it, before all else.
@Suite struct SyncFindTests {
    private static func message(_ number: UInt64, bytes: Int = 40, day: UInt64 = 19_000) -> ChatMessage {
        var random = SeededRandom(seed: number)
        let body = (0..<bytes / 8).map { _ in String(random.next() & 0xfff_ffff, radix: 32) }.joined(separator: " ")
        return ChatMessage(
            txid: random.identifier(), conversationID: "c", contact: "ada", direction: .sent,
            senderTimestamp: day * 86_400 + number, status: .pending, body: body)
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
        // Nothing but its group.
        #expect(phone.zone.chat.queuedCount == 1)
    }

    @Test func aHintedBodyOvertakesABacklog() throws {
        let (phone, laptop) = (try SyncBench(1), try SyncBench(2))
        for number in 1...240 {
            _ = try phone.zone.accept(Self.message(UInt64(number), bytes: 60_000), now: phone.now)
            try phone.zone.cut(force: true, now: phone.now)
        }
        try phone.turn()
        let id = SessionID(1)
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
        let hinted = (1...3).map { Self.message(UInt64($0), bytes: 60_000) }
        for message in hinted { try Self.hint(laptop, message) }
        let before = laptop.store.wantedCount
        #expect(before > 150)
        for _ in 0..<12 where !laptop.zone.chat.stubs.isEmpty { try step() }
        #expect(laptop.zone.chat.stubs.isEmpty)
        for message in hinted { #expect(try laptop.zone.chat.message(message.txid)?.message == message) }
        #expect(laptop.store.wantedCount > before - 60)
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
        // A device that has it comes.
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
        // The phone learns of it, and keeps it in its queue; then it says something else.
        _ = try phone.zone.accept(missed, now: phone.now)
        try phone.zone.addOpaque(name: "something", [1])
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
            Message.found([[0x83, 1, 2, 3]]),
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
        try node.take(.found([peer.fact(1).encoded]), on: SessionID(1))
        #expect(node.closed[SessionID(1)] == nil && node.store.recordCount == 1)
    }
}
