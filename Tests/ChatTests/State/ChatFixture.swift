import NodeCore
import SyncState

@testable import Chat

/// A store that keeps sealed segments in its own table: the part of the replicated store that the chat needs.
final class SegmentTable: SegmentSource {
    let database: Database
    let archiveKey = Secret(bytes: [UInt8](repeating: 7, count: 32))
    var random: any RandomSource = SeededRandom(seed: 99)

    init(_ database: Database) throws {
        self.database = database
        try database.execute(
            """
            CREATE TABLE IF NOT EXISTS segment(
                id INTEGER PRIMARY KEY AUTOINCREMENT, name BLOB, header BLOB, blob BLOB)
            """)
    }

    func write(_ draft: SegmentDraft) throws -> UInt64 {
        let header = random.bytes(20)
        let blob = SegmentCodec.seal(draft, header: header, archiveKey: archiveKey, random: &random)
        return try insert(name: draft.meta.name.bytes, header: header, blob: blob)
    }

    func insert(name: [UInt8], header: [UInt8], blob: [UInt8]) throws -> UInt64 {
        let insert = try database.prepare("INSERT INTO segment(name, header, blob) VALUES(?, ?, ?)")
        insert.bind(1, name)
        insert.bind(2, header)
        insert.bind(3, blob)
        try insert.run()
        return UInt64(database.lastInsertRowID)
    }

    func delete(_ arrivalID: UInt64) throws {
        try database.execute("DELETE FROM segment WHERE id = \(arrivalID)")
    }

    func isOwn(_ arrivalID: UInt64) throws -> Bool { true }

    func withSegment(_ arrivalID: UInt64, _ body: (SealedSegment) throws -> Void) throws -> Bool {
        let select = try database.prepare("SELECT name, header, blob FROM segment WHERE id = ?")
        select.bind(1, Int64(arrivalID))
        guard try select.step() else { return false }
        defer { select.reset() }
        try lend(select, 0, body)
        return true
    }

    func forEachSegment(after arrivalID: UInt64, _ body: (UInt64, SealedSegment) throws -> Bool) throws {
        let select = try database.prepare("SELECT id, name, header, blob FROM segment WHERE id > ? ORDER BY id")
        select.bind(1, Int64(arrivalID))
        var goesOn = true
        while goesOn, try select.step() {
            let id = UInt64(select.int(0))
            try lend(select, 1) { goesOn = try body(id, $0) }
        }
        select.reset()
    }

    private func lend(_ row: Statement, _ column: Int32, _ body: (SealedSegment) throws -> Void) throws {
        let name = try SegmentName(bytes: row.blob(column))
        let header = row.blob(column + 1)
        try row.withBlob(column + 2) { blob in
            try body(SealedSegment(name: name, header: header, archiveKey: archiveKey, ciphertext: blob))
        }
    }

    func copy(_ arrivalID: UInt64) throws -> SegmentCopy? {
        let select = try database.prepare("SELECT name, header, blob FROM segment WHERE id = ?")
        select.bind(1, Int64(arrivalID))
        guard try select.step() else { return nil }
        let name = select.blob(0)
        let record = [UInt8(name.count)] + name + select.blob(1)
        return SegmentCopy(arrivalID: arrivalID, record: record, blob: select.blob(2))
    }

    func makeOpener() -> any SegmentOpener { SegmentTableOpener(archiveKey: archiveKey) }

    /// All messages of all segments, with their arrival ids.
    func contents() throws -> [(arrivalID: UInt64, writer: LaneID, messages: [ChatMessage])] {
        let codec = SegmentCodec()
        var all: [(arrivalID: UInt64, writer: LaneID, messages: [ChatMessage])] = []
        try forEachSegment(after: 0) { id, sealed in
            if let messages = try? codec.messages(of: sealed) {
                all.append((id, sealed.name.writer, messages))
            }
            return true
        }
        return all
    }
}

private final class SegmentTableOpener: SegmentOpener {
    private let archiveKey: Secret

    init(archiveKey: Secret) { self.archiveKey = archiveKey }

    func withSegment(_ copy: SegmentCopy, _ body: (SealedSegment) -> Void) -> Bool {
        let length = Int(copy.record[0])
        guard let name = try? SegmentName(bytes: Array(copy.record[1...length])) else { return false }
        let header = Array(copy.record[(length + 1)...])
        copy.blob.withUnsafeBytes {
            body(SealedSegment(name: name, header: header, archiveKey: archiveKey, ciphertext: $0))
        }
        return true
    }
}

/// A chat over a database, as a node has it.
final class ChatFixture {
    static let lane = LaneID(Bytes32(1, 1, 1, 1))
    static let otherLane = LaneID(Bytes32(2, 2, 2, 2))

    let database: Database
    let store: SegmentTable
    let chat: ChatState

    init(_ database: Database, hashBits: Int = Chat.Limits.hashBits, now: MonotonicTime = .zero) throws {
        self.database = database
        store = try SegmentTable(database)
        chat = try ChatState(
            database: database, lane: Self.lane, queueKey: Secret(bytes: [UInt8](repeating: 3, count: 32)),
            source: store, random: SeededRandom(seed: 5), now: now, hashBits: hashBits)
    }

    convenience init() throws {
        try self.init(Database(path: ":memory:"))
    }

    @discardableResult
    func accept(_ messages: ChatMessage..., now: MonotonicTime = .zero) throws -> [Acceptance] {
        try database.transaction { try messages.map { try chat.accept($0, now: now) } }
    }

    @discardableResult
    func cut(force: Bool = true, now: MonotonicTime = .zero) throws -> Int {
        try database.transaction { try chat.cut(force: force, now: now) { try store.write($0) } }
    }

    /// Checks all derived data; true if it was derived again.
    func mendIndex() throws -> Bool {
        var cursor = DerivedCursor()
        while cursor.part < chat.derivedParts { if try chat.mendIndex(&cursor) { return true } }
        return false
    }

    /// A segment of another device arrives.
    @discardableResult
    func arrive(_ messages: [ChatMessage], sequence: UInt64 = 0) throws -> UInt64 {
        let name = SegmentName(
            conversationID: messages[0].conversationID, dayBucket: messages[0].dayBucket, writer: Self.otherLane,
            sequence: sequence)
        return try database.transaction {
            let id = try store.write(try SegmentCodec().draft(messages, name: name))
            _ = try store.withSegment(id) { sealed in
                let outcome = try chat.segmentArrived(id, sealed)
                precondition(outcome == .indexed(messages: messages.count) || outcome == .known)
            }
            return id
        }
    }

    func remove(_ arrivalID: UInt64) throws {
        try database.transaction {
            _ = try store.withSegment(arrivalID) { try chat.segmentRemoved(arrivalID, $0) }
            try store.delete(arrivalID)
        }
    }

    /// Every row of a listing, page by page.
    func listing(_ conversation: String, pageSize: Int = 50) throws -> [ListedMessage] {
        var all: [ListedMessage] = []
        var cursor: MessageCursor?
        while true {
            let page = try chat.messages(conversation: conversation, before: cursor, limit: pageSize)
            all += page
            guard let last = page.last else { return all }
            // The cursor goes through its text form, as in a command.
            cursor = MessageCursor(text: last.cursor.text)
        }
    }
}
