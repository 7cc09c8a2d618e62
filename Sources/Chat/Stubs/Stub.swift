package import NodeCore
import SyncState

/// A message whose body is not here yet, as known from a hint or from an import that lacked the body.
///
/// Local to this device: never replicated, and neither counted as a message nor unread.
package struct Stub: Sendable, Equatable {
    package var txid: TxID
    /// Nil if unknown; then it is in no conversation's list.
    package var conversationID: String?
    package var contact: String?
    package var direction: MessageDirection
    /// Seconds since 1970; if the sender's time is unknown, the time of the hint.
    package var senderTimestamp: UInt64
    /// Milliseconds since 1970.
    package var blockTime: UInt64?
    package var acceptingDaaScore: UInt64?
    package var hintedAt: WallTime

    package init(
        txid: TxID, conversationID: String? = nil, contact: String? = nil, direction: MessageDirection = .sent,
        senderTimestamp: UInt64? = nil, blockTime: UInt64? = nil, acceptingDaaScore: UInt64? = nil, hintedAt: WallTime
    ) {
        self.txid = txid
        self.conversationID = conversationID
        self.contact = contact
        self.direction = direction
        let hinted = UInt64(clamping: hintedAt.milliseconds / 1_000)
        self.senderTimestamp = senderTimestamp ?? min(hinted, Limits.timestampSeconds)
        self.blockTime = blockTime
        self.acceptingDaaScore = acceptingDaaScore
        self.hintedAt = hintedAt
    }

    /// Its position in the conversation until the body gives a better one.
    package var order: MessageOrder {
        MessageOrder(score: acceptingDaaScore, blockTime: blockTime, senderTimestamp: senderTimestamp)
    }

    package var cursor: MessageCursor { MessageCursor(order: order, txid: txid) }

    /// Fills fields missing here from the other.
    func completed(by other: Stub) -> Stub {
        var stub = self
        stub.conversationID = conversationID ?? other.conversationID
        stub.contact = contact ?? other.contact
        stub.blockTime = blockTime ?? other.blockTime
        stub.acceptingDaaScore = acceptingDaaScore ?? other.acceptingDaaScore
        return stub
    }

    package func validate() throws(ChatMessageError) {
        if let conversationID {
            guard !conversationID.isEmpty else { throw ChatMessageError(field: "conversationId", reason: .empty) }
            try ChatMessageError.check("conversationId", conversationID.utf8.count, Limits.conversationIDBytes)
        }
        try ChatMessageError.check("contact", contact?.utf8.count ?? 0, Limits.contactBytes)
        try ChatMessageError.check("senderTs", senderTimestamp, Limits.timestampSeconds)
        try ChatMessageError.check("blockTime", blockTime ?? 0, Limits.timeMilliseconds)
        try ChatMessageError.check("acceptingDaaScore", acceptingDaaScore ?? 0, Limits.acceptingDaaScore)
    }
}

/// The result of a hint.
package enum HintOutcome: Sendable, Equatable {
    case new
    /// There already is a stub; the hint may have added to it.
    case known
    /// The body is here: nothing was done.
    case held
}

/// The stubs of a conversation.
struct StubCount: Equatable {
    let conversationID: String
    let count: Int
    /// The time of the newest one, in milliseconds since 1970.
    let newest: UInt64
    /// The contact from one of them; empty if none has it.
    let contact: String
}

/// The stubs of an account: durable in its database, the txids in memory too, since each message that arrives asks.
///
/// Works in the caller's transaction; `load` rebuilds the memory after a rollback.
package final class StubTable {
    /// Keyed by the first four bytes of the txid, which segments use to name their messages.
    private var txids: [UInt32: [TxID]] = [:]
    private var fresh: [TxID] = []
    package private(set) var count = 0

    private let replace: Statement
    private let select: Statement
    private let delete: Statement
    private let selectAll: Statement
    private let selectPage: Statement
    private let selectPlaced: Statement
    private let selectMissed: Statement

    private static let columns = "txid, ord, conversation, contact, direction, sender, block, score, hinted"

    private static let schema = """
        CREATE TABLE stub(
            txid BLOB NOT NULL UNIQUE, ord BLOB NOT NULL, conversation BLOB, contact TEXT,
            direction INTEGER NOT NULL, sender INTEGER NOT NULL, block INTEGER, score INTEGER,
            hinted INTEGER NOT NULL, PRIMARY KEY(ord, txid)) WITHOUT ROWID;
        CREATE INDEX stub_placed ON stub(conversation, ord, txid) WHERE conversation IS NOT NULL;
        """

    init(database: Database) throws {
        try database.migrate("stubs", [Migration("stubs", sql: Self.schema)])
        replace = try database.prepare(
            "INSERT OR REPLACE INTO stub(\(Self.columns)) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)")
        select = try database.prepare("SELECT \(Self.columns) FROM stub WHERE txid = ?")
        delete = try database.prepare("DELETE FROM stub WHERE txid = ?")
        selectAll = try database.prepare("SELECT txid FROM stub ORDER BY hinted, txid")
        selectPage = try database.prepare(
            """
            SELECT \(Self.columns) FROM stub WHERE (ord, txid) < (?1, ?2) ORDER BY ord DESC, txid DESC LIMIT ?3
            """)
        selectPlaced = try database.prepare(
            """
            SELECT \(Self.columns) FROM stub WHERE conversation = ?4 AND (ord, txid) < (?1, ?2)
            ORDER BY ord DESC, txid DESC LIMIT ?3
            """)
        selectMissed = try database.prepare(
            """
            SELECT conversation, count(*), max(coalesce(block, sender * 1000)), coalesce(max(contact), '') FROM stub
            WHERE conversation IS NOT NULL AND (?1 IS NULL OR conversation = ?1) GROUP BY conversation
            """)
        try load()
    }

    /// Reads the txids again: at the start, and after a rollback. All of them count as fresh then.
    func load() throws {
        txids = [:]
        fresh = []
        count = 0
        for txid in try selectAll.all(read: { TxID(bytes: $0.blob(0)) }) { note(txid) }
    }

    private func note(_ txid: TxID) {
        txids[txid.segmentPrefix, default: []].append(txid)
        fresh.append(txid)
        count += 1
    }

    package var isEmpty: Bool { count == 0 }

    package func contains(_ txid: TxID) -> Bool { txids[txid.segmentPrefix]?.contains(txid) ?? false }

    /// Stubs added since the last call, latest last; after a rollback all of them.
    package func takeFresh() -> [TxID] {
        defer { fresh = [] }
        return fresh
    }

    /// The stubs whose bodies a segment may contain, by its prefixes.
    package func candidates(in meta: SegmentMeta) -> [TxID] {
        guard !isEmpty else { return [] }
        var found: [TxID] = []
        for start in stride(from: 0, to: meta.prefixes.count, by: 4) {
            let prefix = meta.prefixes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            if let stubs = txids[prefix] { found += stubs }
        }
        return found
    }
}

extension TxID {
    /// The first four bytes, by which a segment's record names its messages.
    var segmentPrefix: UInt32 { UInt32(truncatingIfNeeded: storage.w0 >> 32) }
}

// MARK: - Rows

extension StubTable {
    /// Stores a stub, or completes the existing one. True if there was none.
    ///
    /// - Throws: `ChatError.tooManyStubs`.
    package func put(_ stub: Stub) throws -> Bool {
        if let held = try find(stub.txid) {
            let completed = held.completed(by: stub)
            if completed != held { try write(completed) }
            return false
        }
        guard count < Limits.stubs else { throw ChatError.tooManyStubs }
        try write(stub)
        note(stub.txid)
        return true
    }

    private func write(_ stub: Stub) throws {
        try replace.run(
            stub.txid.bytes, Self.bytes(of: stub.order), stub.conversationID.map { Array($0.utf8) }, stub.contact,
            Int64(stub.direction.rawValue), Int64(stub.senderTimestamp), stub.blockTime.map { Int64($0) },
            stub.acceptingDaaScore.map { Int64($0) }, stub.hintedAt.milliseconds)
    }

    /// Big-endian, so that orders compare as bytes.
    private static func bytes(of order: MessageOrder) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(u64: order.word)
        return writer.bytes
    }

    /// Removes a stub whose body is here, or no longer wanted. True if there was a stub.
    @discardableResult
    package func resolve(_ txid: TxID) throws -> Bool {
        guard contains(txid) else { return false }
        try delete.run(txid.bytes)
        txids[txid.segmentPrefix]?.removeAll { $0 == txid }
        if txids[txid.segmentPrefix]?.isEmpty == true { txids[txid.segmentPrefix] = nil }
        count -= 1
        return true
    }

    package func find(_ txid: TxID) throws -> Stub? {
        guard contains(txid) else { return nil }
        return try select.first(txid.bytes, read: Self.stub)
    }

    /// Stubs of a conversation, or all of them, newest first.
    ///
    /// - Parameter cursor: of the last one of the previous page; nil starts with the newest.
    package func list(
        conversation: String? = nil, before cursor: MessageCursor? = nil, limit: Int
    ) throws -> [Stub] {
        // Nine bytes compare above all orders.
        let order = cursor.map { Self.bytes(of: $0.order) } ?? [UInt8](repeating: 0xff, count: 9)
        let (txid, limit) = (cursor?.txid.bytes ?? [], min(limit, Limits.listedMessages))
        guard let conversation else { return try selectPage.all(order, txid, limit, read: Self.stub) }
        return try selectPlaced.all(order, txid, limit, Array(conversation.utf8), read: Self.stub)
    }

    /// The stubs of each conversation, in order of their ids' bytes.
    func byConversation() throws -> [StubCount] { try missed(nil) }

    /// The stubs of one conversation; nil if there are none.
    func missed(in conversation: String) throws -> StubCount? {
        isEmpty ? nil : try missed(conversation).first
    }

    /// The txids of a conversation's stubs, newest first.
    func txids(in conversation: String) throws -> [TxID] {
        var txids: [TxID] = []
        var cursor: MessageCursor?
        while true {
            let page = try list(conversation: conversation, before: cursor, limit: Limits.listedMessages)
            txids += page.map(\.txid)
            guard let last = page.last else { return txids }
            cursor = last.cursor
        }
    }

    private func missed(_ conversation: String?) throws -> [StubCount] {
        try selectMissed.all(conversation.map { Array($0.utf8) }) { row in
            StubCount(
                conversationID: row.withBlob(0) { String(decoding: $0, as: UTF8.self) },
                count: Int(row.int(1)), newest: UInt64(max(row.int(2), 0)),
                contact: row.optionalText(3) ?? "")
        }
    }

    private static func stub(_ row: Statement) -> Stub? {
        guard let txid = TxID(bytes: row.blob(0)) else { return nil }
        return Stub(
            txid: txid,
            conversationID: row.isNull(2) ? nil : row.withBlob(2) { String(decoding: $0, as: UTF8.self) },
            contact: row.optionalText(3), direction: MessageDirection(rawValue: UInt8(row.int(4) & 1)) ?? .sent,
            senderTimestamp: UInt64(max(row.int(5), 0)), blockTime: row.optionalInt(6).map { UInt64(max($0, 0)) },
            acceptingDaaScore: row.optionalInt(7).map { UInt64(max($0, 0)) },
            hintedAt: WallTime(milliseconds: row.int(8)))
    }
}
