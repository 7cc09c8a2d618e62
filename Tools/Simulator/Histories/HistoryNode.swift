import Chat
import ChatTestKit
import Gossip
import NodeCore
import SyncState

/// A node of a history: a real store in memory under the real engine.
final class HistoryNode {
    let number: Int
    private(set) var zone: AccountZone
    private(set) var sync: ZoneSync
    private(set) var database: Database
    var isAlive = true
    /// Time passes only while the node has a session with nothing to say.
    var now = MonotonicTime.zero
    /// Everything it wrote since this was last taken, including raised values and rewritten registers.
    private var ledger: [Record] = []
    private let history: HistoryKeys
    /// The home it was created with: a copied home has its original's secret.
    private let home: Int
    private var random: SeededRandom

    init(number: Int, history: HistoryKeys, random: SeededRandom, copyOf original: HistoryNode? = nil) throws {
        self.number = number
        home = original?.home ?? number
        self.history = history
        self.random = random
        var opening = random
        database = try original.map { try Database(snapshot: $0.database.snapshot()) } ?? Database(path: ":memory:")
        zone = try AccountZone(
            database: database, keys: history.account.keys, deviceSecret: history.deviceSecret(home),
            entrance: .words(history.account), random: opening.split(), now: .zero)
        sync = ZoneSync(zone: zone, instance: opening.identifier())
        self.random = opening
        observe()
        for conversation in History.conversations {
            _ = try zone.accept(Self.lastMessage(of: conversation), isHistory: true, now: .zero)
        }
        try zone.commit()
    }

    /// A message that each node holds, and that stays the last one: what marks name.
    private static func lastMessage(of conversation: String) -> ChatMessage {
        let number = UInt64(conversation.utf8.last ?? 0)
        return ChatMessage(
            txid: TxID(Bytes32(number, 0, 0, 0)), conversationID: conversation, contact: "ann", direction: .received,
            senderTimestamp: 0, acceptingDaaScore: Chat.Limits.acceptingDaaScore, status: .confirmed, body: "last")
    }

    /// Replaces the store by an older copy, on which the node continues.
    func replaceStore(_ snapshot: [UInt8]) throws {
        database = try Database(snapshot: snapshot)
        zone = try AccountZone(
            database: database, keys: history.account.keys, deviceSecret: history.deviceSecret(home),
            random: random.split(), now: .zero)
        sync = ZoneSync(zone: zone, instance: random.identifier())
        observe()
    }

    private func observe() {
        zone.store.didWrite = { [unowned self] in ledger.append($0) }
    }

    func takeWritten() -> [Record] {
        defer { ledger = [] }
        return ledger
    }

    var lane: LaneID { zone.lane }
    var store: ZoneStore { zone.store }

    /// Ends a turn outside a session: commits, and drops the announcements.
    func settle() throws {
        try sync.endTurn(now: now)
        _ = sync.takeActions()
    }

    // MARK: Writing

    /// Raises the read position of a conversation by an amount.
    func read(_ conversation: String, by amount: UInt64) throws -> Record {
        let value = try position(conversation) + amount
        let bound = ReadBound(
            txid: Self.lastMessage(of: conversation).txid, acceptingDaaScore: value, timeMilliseconds: 0)
        let marker = ReadMarker(
            conversationID: conversation, bounds: [bound], readAt: WallTime(milliseconds: 0))
        return try store.write(
            RecordMeta(type: .readMarker, fields: marker.encoded), slotName: marker.slotName, kind: .register)
    }

    func writeFact() throws -> Record {
        let name = OpaqueName(random.identifier(Bytes16.self).hex)
        return try store.write(
            RecordMeta(type: .opaque, fields: name.encoded), slotName: name.slotName, kind: .immutable)
    }

    /// Rewrites a segment's row, by the rule of `ZoneStore.segmentTag`. Its blob is not tested here.
    func writeSegment(_ number: Int) throws -> Record {
        let name = SegmentName(conversationID: "c\(number)", dayBucket: 1, writer: history.writer, sequence: 1)
        let meta = SegmentMeta(
            name: name, startTimestamp: 86_400, endTimestamp: 86_400, messageCount: 0, byteCount: 0, payloadVersion: 1,
            prefixes: [])
        let tag = try store.segmentTag(of: name.text)
        let record = try store.write(
            RecordMeta(type: .segment, tag: tag, fields: meta.encoded), slotName: name.text, kind: .segment)
        try store.rememberSegment(name.text, tag: tag, record: record)
        return record
    }

    /// Another copy of the device started afresh, and this one still writes the old lane.
    var isSucceeded: Bool { zone.membership.isSucceeded }

    // MARK: Shown values

    func position(_ conversation: String) throws -> UInt64 {
        try zone.chat.reads.position(of: conversation).scorePoint?.acceptingDaaScore ?? 0
    }

    /// The value that a new device would compute: the maximum over the registers of all lanes.
    func liveValue(_ conversation: String) throws -> UInt64 {
        try zone.reads.livePosition(conversation).scorePoint?.acceptingDaaScore ?? 0
    }

    /// All rows by lane, and the heads.
    func view() throws -> HistoryView {
        var rows: [LaneID: [RowKey]] = [:]
        var heads: [LaneID: UInt64] = [:]
        for lane in store.vector {
            let keys = try store.keys(of: lane.id, from: 0, through: SyncState.Limits.highestSeq).keys
            if !keys.isEmpty { rows[lane.id] = keys }
            if lane.head > 0 { heads[lane.id] = lane.head }
        }
        return HistoryView(rows: rows, heads: heads)
    }
}

struct HistoryView: Equatable {
    let rows: [LaneID: [RowKey]]
    let heads: [LaneID: UInt64]
}

/// The keys shared by the nodes of a history.
struct HistoryKeys {
    let account: AccountSigner
    let writer: LaneID

    init() {
        account = AccountSigner(seed: Secret(bytes: [UInt8](repeating: 7, count: 64)))
        writer = LaneID(Bytes32(1, 2, 3, 4))
    }

    /// A clone has its original's secret, since its home was copied; its key then differs by the tag in its store.
    func deviceSecret(_ number: Int) -> Secret { Secret(bytes: [UInt8](repeating: UInt8(number), count: 32)) }
}
