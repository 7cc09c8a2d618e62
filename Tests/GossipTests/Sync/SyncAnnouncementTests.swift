import Chat
import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Gossip

/// A new record arrives after half a round trip.
@Suite struct SyncAnnouncementTests {
    private static let id = SessionID(1)

    private static func message(_ number: UInt64, previews: Int = 0) -> ChatMessage {
        var random = SeededRandom(seed: number)
        let txid = random.identifier(TxID.self)
        let bytes = Chat.Limits.inlineAttachmentBytes
        return ChatMessage(
            txid: txid, conversationID: "c", contact: "ada", direction: .sent, senderTimestamp: 1_700_000_000 + number,
            status: .pending, body: "Message \(number)",
            attachments: (0..<previews).map { _ in
                ChatAttachment(mimeType: "image/jpeg", sizeBytes: UInt64(bytes), inline: random.bytes(bytes))
            })
    }

    private static func write(_ message: ChatMessage, at node: SyncBench) throws -> [Message] {
        _ = try node.zone.accept(message, now: node.now)
        try node.zone.cut(force: true, now: node.now)
        try node.turn()
        return node.takeOutbox(id)
    }

    private static func wants(_ messages: [Message]) -> Int {
        messages.count { if case .want = $0 { true } else { false } }
    }

    @Test func aShortBlobComesWithItsRecord() throws {
        let (phone, laptop) = (try SyncBench(1), try SyncBench(2))
        try laptop.meet(phone, Self.id)
        let (short, long) = (Self.message(1), Self.message(2, previews: 2))
        try laptop.take(try Self.write(short, at: phone), on: Self.id)
        #expect(try laptop.zone.chat.message(short.txid)?.message == short)
        #expect(Self.wants(laptop.takeOutbox(Self.id)) == 0)
        // A long message is asked for.
        try laptop.take(try Self.write(long, at: phone), on: Self.id)
        #expect(try laptop.zone.chat.message(long.txid) == nil)
        let asked = laptop.takeOutbox(Self.id)
        #expect(Self.wants(asked) == 1)
        try phone.take(asked, on: Self.id)
        try laptop.talk(phone, Self.id)
        #expect(try laptop.zone.chat.message(long.txid)?.message == long)
        #expect(laptop.store.digest == phone.store.digest)
    }

    @Test func aFalseBlobEndsTheSession() throws {
        let (phone, laptop) = (try SyncBench(1), try SyncBench(2))
        try laptop.meet(phone, Self.id)
        for case .have(let since, let record, let blob) in try Self.write(Self.message(1), at: phone) {
            var bytes = Array(blob)
            bytes[bytes.count / 2] ^= 1
            try laptop.take(.have(since: since, record: record, blob: bytes[...]), on: Self.id)
        }
        #expect(laptop.closed[Self.id] == .badBlob)
        // The record is good, and its blob is asked for elsewhere.
        #expect(laptop.store.wantedCount == 1)
    }

    /// HAVE counts as an entry of the vector, whatever happens to its record.
    @Test func whatIsAnnouncedIsShownToBeThere() throws {
        let node = try SyncBench(1)
        var peer = ScriptedPeer(9)
        try node.store.put(peer.fact(1))
        try node.store.advance(peer.lane, head: 1)
        try node.turn()
        let own = try #require(node.store.lane(peer.lane).map { VectorEntry($0) })
        try peer.greet(node, Self.id, [own])
        func view() -> VectorEntry? { node.sync.sessions[Self.id]?.view[peer.lane] }
        var damaged = peer.fact(2).encoded
        damaged[damaged.count - 5] ^= 1
        _ = node.takeOutbox(Self.id)
        try node.take(.have(since: 1, record: damaged), on: Self.id)
        #expect(view()?.head == 2 && view()?.target == 2)
        // So the rows behind the head are asked for.
        let pulls = node.takeOutbox(Self.id).count { if case .pull = $0 { true } else { false } }
        #expect(pulls == 1)
    }

    /// A vector is more urgent than records, and overtakes earlier announcements.
    @Test func anEntryThatOvertookAnAnnouncementStaysKnown() throws {
        let node = try SyncBench(1)
        var peer = ScriptedPeer(9)
        let records = [peer.fact(1), peer.fact(2)]
        for record in records { try node.store.put(record) }
        try node.store.advance(peer.lane, head: 2)
        try node.turn()
        try peer.greet(node, Self.id, [peer.entry(2)])
        try node.take(.have(since: 1, record: records[1].encoded), on: Self.id)
        #expect(node.sync.sessions[Self.id]?.stale == [])
        try node.take(.have(since: 2, record: peer.fact(3).encoded), on: Self.id)
        #expect(node.sync.sessions[Self.id]?.stale == [peer.lane])
        // Nobody announces rows that another device wrote.
        try node.take(.have(since: 0, record: peer.fact(1, by: ScriptedPeer(8).device).encoded), on: Self.id)
        #expect(node.isViolation(Self.id))
    }

    /// A peer that is far behind gets a lane's lists before its rows, and checks the signatures of a few.
    @Test func listsComeFirst() throws {
        let (phone, laptop) = (try SyncBench(1), try SyncBench(2))
        for number in 0..<Chat.Limits.ownListRows + 600 {
            let name = OpaqueName("fact \(number)")
            try phone.store.write(
                RecordMeta(type: .opaque, fields: name.encoded), slotName: name.slotName, kind: .immutable)
        }
        try phone.turn()
        let worker = InTurn()
        laptop.store.signatures.worker = worker
        try laptop.meet(phone, Self.id)
        #expect(laptop.store.digest == phone.store.digest)
        // One message has the newest rows, and one those behind the list.
        #expect((1...4).contains(worker.runs))
    }
}
