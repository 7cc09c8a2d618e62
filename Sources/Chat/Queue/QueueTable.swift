import NodeCore
import SyncState

/// The rows of the queue, each sealed with its place.
final class QueueTable {
    private let database: Database
    private let key: Secret
    private var random: any RandomSource
    private let insertRow, selectRow, deleteRow, selectAll, selectGroup, conversationName, nextSequence: Statement

    init(_ database: Database, key: Secret, random: any RandomSource) throws {
        self.database = database
        self.key = key
        self.random = random
        insertRow = try database.prepare(
            "INSERT INTO queue(id, conversation, day, bytes, sealed) VALUES(?, ?, ?, ?, ?)")
        selectRow = try database.prepare("SELECT conversation, sealed FROM queue WHERE id = ?")
        deleteRow = try database.prepare("DELETE FROM queue WHERE id = ?")
        selectAll = try database.prepare("SELECT id, conversation, day, bytes FROM queue ORDER BY id")
        selectGroup = try database.prepare("SELECT conversation, day FROM queue WHERE id = ?")
        conversationName = try database.prepare("SELECT name FROM conversation WHERE id = ?")
        nextSequence = try database.prepare(
            """
            INSERT INTO segment_sequence(conversation, day, next) VALUES(?1, ?2, 1)
            ON CONFLICT(conversation, day) DO UPDATE SET next = next + 1 RETURNING next
            """)
    }

    /// - Parameter bytes: upper bound of what the message adds to a payload.
    func insert(_ row: Int64, _ message: ChatMessage, _ group: ArchiveQueue.Group, bytes: Int) throws {
        let payload = PayloadWriter.payload(of: [message])
        insertRow.bind(1, row)
        insertRow.bind(2, Int64(group.conversation))
        insertRow.bind(3, Int64(bitPattern: group.day))
        insertRow.bind(4, Int64(bytes))
        insertRow.bind(
            5,
            XChaChaPoly.seal(
                payload, associatedData: Self.associatedData(row: row, conversation: group.conversation), key: key,
                random: &random))
        try insertRow.run()
    }

    private static func associatedData(row: Int64, conversation: UInt32) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(Array("kachat.queue".utf8))
        writer.write(u64: UInt64(bitPattern: row))
        writer.write(u32: conversation)
        return writer.bytes
    }

    /// The message of a row; nil if there is no such row.
    func message(_ row: Int64) throws -> ChatMessage? {
        try selectRow.first(row) { found in
            let conversation = UInt32(truncatingIfNeeded: found.int(0))
            let associatedData = Self.associatedData(row: row, conversation: conversation)
            let opened = found.withBlob(1) { sealed in
                associatedData.withUnsafeBytes { try? XChaChaPoly.open(sealed, associatedData: $0, key: key) }
            }
            guard let opened, let name = try name(of: conversation) else { return nil }
            return try opened.withUnsafeBytesThrowing { (payload) throws(SegmentError) in
                try SegmentCodec.messages(in: payload, conversationID: name).first
            }
        }
    }

    /// A conversation's id by its number.
    func name(of conversation: UInt32) throws -> String? {
        try conversationName.first(Int64(conversation)) { $0.withBlob(0) { String(decoding: $0, as: UTF8.self) } }
    }

    func group(of row: Int64) throws -> ArchiveQueue.Group? {
        try selectGroup.first(row) { row in
            ArchiveQueue.Group(
                conversation: UInt32(truncatingIfNeeded: row.int(0)), day: UInt64(bitPattern: row.int(1)))
        }
    }

    /// All rows, ascending.
    func rows() throws -> [(row: Int64, group: ArchiveQueue.Group, bytes: Int)] {
        try selectAll.all { row in
            let group = ArchiveQueue.Group(
                conversation: UInt32(truncatingIfNeeded: row.int(1)), day: UInt64(bitPattern: row.int(2)))
            return (try Self.id(row.count(0)), group, Int(try row.count(3)))
        }
    }

    /// - Throws: `StoreError.damaged` for an id that no row was given.
    static func id(_ stored: UInt64) throws(StoreError) -> Int64 {
        guard stored <= Limits.locationID else { throw .damaged("the number of a queued message") }
        return Int64(stored)
    }

    /// False where there was no such row.
    func delete(_ row: Int64) throws -> Bool {
        try deleteRow.run(row)
        return database.changes == 1
    }

    /// The number of this device's next segment of a conversation and day.
    func takeSequence(of group: ArchiveQueue.Group) throws -> UInt64 {
        let next = try nextSequence.first(Int64(group.conversation), Int64(bitPattern: group.day)) { try $0.count(0) }
        return max(next ?? 1, 1) - 1
    }
}

/// Notes of rows that left the queue, and that the flushed index still lists.
struct GoneRows {
    private let insert, select, deleteAll: Statement

    init(_ database: Database) throws {
        insert = try database.prepare("INSERT INTO queue_gone(id, conversation, ord, prefix) VALUES(?, ?, ?, ?)")
        select = try database.prepare("SELECT id, conversation, ord, prefix FROM queue_gone")
        deleteAll = try database.prepare("DELETE FROM queue_gone")
    }

    func add(_ row: Int64, _ message: ChatMessage, conversation: UInt32) throws {
        try insert.run(
            row, Int64(conversation), Int64(bitPattern: message.order.word), Int64(bitPattern: message.txid.storage.w0))
    }

    /// The keys under which they are listed.
    func keys() throws -> [Int64: MessageKey] {
        var keys: [Int64: MessageKey] = [:]
        try select.forEach(visit: { found in
            let row = try QueueTable.id(found.count(0))
            keys[row] = MessageKey(
                conversation: UInt32(truncatingIfNeeded: found.int(1)),
                order: MessageOrder(word: UInt64(bitPattern: found.int(2))),
                prefix: UInt64(bitPattern: found.int(3)), location: .queue(row: row))
        })
        return keys
    }

    func clear() throws { try deleteAll.run() }
}
