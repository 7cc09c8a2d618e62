import NodeCore
import SyncState

/// Conversations: their numbers in the index, their counters and read positions.
final class ConversationTable {
    /// The changes of a conversation by a flush of the index.
    struct Change {
        var messages = 0
        var received = 0
        var unread = 0
    }

    /// A conversation's read position and what is shown with it.
    struct Reading: Equatable {
        var position = ReadPosition.empty
        var last: LastRead?
    }

    /// The last message up to which somebody marked, and the lane of the device where it was marked.
    struct LastRead: Equatable {
        var txid: TxID
        var blockTime: UInt64?
        var lane: LaneID
    }

    /// Counters and newest message of a conversation.
    struct Row {
        var number: UInt32
        var name: String
        var details: ConversationDetails?
        var messages: Int
        var unread: Int
        /// Nil if it is unknown, or there is none.
        var newest: NewestMessage?
        var reading: Reading
    }

    static let schema = """
        CREATE TABLE conversation(
            id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, title TEXT,
            messages INTEGER NOT NULL DEFAULT 0, received INTEGER NOT NULL DEFAULT 0,
            unread INTEGER NOT NULL DEFAULT 0, last BLOB NOT NULL DEFAULT x'',
            position BLOB, last_read BLOB, last_read_at INTEGER, lane BLOB)
        """

    /// How far conversations were deleted, and how far the listing reflects that (docs/STORAGE.md, §3.4).
    static let deletionSchema = """
        ALTER TABLE conversation ADD COLUMN deleted INTEGER;
        ALTER TABLE conversation ADD COLUMN swept INTEGER
        """

    /// Titles and participants are sealed at rest, like bodies.
    static var sealedDetails: Migration {
        Migration(
            "sealed details",
            sql: """
                ALTER TABLE conversation DROP COLUMN title;
                ALTER TABLE conversation ADD COLUMN details BLOB;
                """)
    }

    /// Keyed by bytes, because ids that only look the same are equal as strings.
    private var numbers: [[UInt8]: UInt32] = [:]
    /// Decrypted details of conversations.
    private var opened: [UInt32: ConversationDetails] = [:]
    let deletions: DeletedConversations
    /// The messages up to which conversations are read.
    var readBounds = NamedMessages()
    let newest: NewestMessages
    let database: Database
    private let key: Secret
    private var random: any RandomSource
    private let selectDetails: Statement
    private let updateDetails: Statement
    private let selectNumber: Statement
    private let insert: Statement
    private let selectReading: Statement
    private let updateReading: Statement
    private let applyChange: Statement
    private let setUnread: Statement
    private let selectRows: Statement
    private let selectRow: Statement
    private let selectTotals: Statement

    /// - Parameter key: 32 bytes from which the keys that seal details and newest messages are derived.
    init(database: Database, key: Secret, random: any RandomSource) throws {
        self.database = database
        self.key = HKDF.derive(key, "local/details")
        self.random = random
        newest = try NewestMessages(
            database: database, key: HKDF.derive(key, "local/newest"), random: self.random.split())
        selectDetails = try database.prepare("SELECT details FROM conversation WHERE id = ?")
        updateDetails = try database.prepare("UPDATE conversation SET details = ?2 WHERE id = ?1")
        deletions = try DeletedConversations(database)
        selectNumber = try database.prepare("SELECT id FROM conversation WHERE name = ?")
        insert = try database.prepare("INSERT INTO conversation(name) VALUES(?)")
        selectReading = try database.prepare(
            "SELECT position, last_read, last_read_at, lane FROM conversation WHERE id = ?")
        updateReading = try database.prepare(
            "UPDATE conversation SET position = ?2, last_read = ?3, last_read_at = ?4, lane = ?5 WHERE id = ?1")
        applyChange = try database.prepare(
            """
            UPDATE conversation SET messages = messages + ?2, received = received + ?3, unread = unread + ?4
            WHERE id = ?1
            """)
        setUnread = try database.prepare("UPDATE conversation SET unread = ?2 WHERE id = ?1")
        let rows = """
            SELECT id, name, details, messages, unread, newest, position, last_read, last_read_at, lane
            FROM conversation
            """
        selectRows = try database.prepare(rows + " WHERE messages > 0 ORDER BY id")
        // A separate query: one condition for both would read all rows to find one.
        selectRow = try database.prepare(rows + " WHERE id = ?")
        selectTotals = try database.prepare(
            """
            SELECT coalesce(sum(messages), 0), count(*), coalesce(sum(unread), 0) FROM conversation
            WHERE messages > 0
            """)
    }

    /// Clears the caches.
    func forget() {
        numbers = [:]
        deletions.forget()
        opened = [:]
        newest.forget()
    }

    /// Whether deletions or marks name messages at all.
    var areMessagesNamed: Bool { !deletions.bounds.isEmpty || !readBounds.isEmpty }
    /// Whether named messages came, moved or went.
    var hasNews: Bool { deletions.bounds.hasNews || readBounds.hasNews }

    /// Notes that a message came, moved or went.
    func note(_ txid: TxID) {
        deletions.bounds.note(txid)
        readBounds.note(txid)
    }

    /// The number of a conversation; nil if it is unknown and must not be created.
    func number(of name: some Collection<UInt8>, create: Bool) throws -> UInt32? {
        let name = Array(name)
        if let number = numbers[name] { return number }
        var number = try selectNumber.first(name) { UInt32(truncatingIfNeeded: $0.int(0)) }
        if number == nil, create {
            try insert.run(name)
            number = UInt32(truncatingIfNeeded: database.lastInsertRowID)
        }
        guard let number else { return nil }
        if numbers.count >= Limits.cachedConversations { numbers = [:] }
        numbers[name] = number
        return number
    }

    /// Whether each has a number that its values are found by.
    func areNumbered() throws -> Bool {
        try !database.prepare("SELECT 1 FROM conversation WHERE id NOT BETWEEN 1 AND ?").hasRow(Int64(UInt32.max))
    }

    func reading(of number: UInt32) throws -> Reading {
        try selectReading.first(Int64(number)) { Self.reading($0, column: 0) } ?? Reading()
    }

    private static func reading(_ row: Statement, column: Int32) -> Reading {
        var reading = Reading()
        if !row.isNull(column) {
            var reader = CBORReader(row.blob(column))
            reading.position = (try? ReadPosition(from: &reader, maxNamed: .max)) ?? .empty
        }
        if !row.isNull(column + 1), let txid = TxID(bytes: row.blob(column + 1)),
            let lane = LaneID(bytes: row.blob(column + 3))
        {
            let blockTime = row.optionalInt(column + 2).map { UInt64(bitPattern: $0) }
            reading.last = LastRead(txid: txid, blockTime: blockTime, lane: lane)
        }
        return reading
    }

    func store(_ reading: Reading, of number: UInt32) throws {
        var writer = CBORWriter()
        reading.position.write(to: &writer)
        try updateReading.run(
            Int64(number), writer.bytes, reading.last?.txid.bytes,
            reading.last?.blockTime.map { Int64(bitPattern: $0) }, reading.last?.lane.bytes)
    }

    // MARK: Details

    /// The details of a conversation; nil if there are none.
    func details(of number: UInt32, _ name: String) throws -> ConversationDetails? {
        if let known = opened[number] { return known }
        return try selectDetails.first(Int64(number)) { details($0, column: 0, number, name) }
    }

    private func details(
        _ row: Statement, column: Int32, _ number: UInt32, _ name: String
    ) -> ConversationDetails? {
        if row.isNull(column) { return nil }
        // Rotten details are treated as missing.
        guard let plain = try? XChaChaPoly.open(row.blob(column), associatedData: Array(name.utf8), key: key),
            let details = try? ConversationDetails(encoded: plain)
        else { return nil }
        keep(details, number)
        return details
    }

    func store(_ details: ConversationDetails, of number: UInt32) throws {
        let sealed = XChaChaPoly.seal(
            details.encoded, associatedData: Array(details.conversationID.utf8), key: key, random: &random)
        try updateDetails.run(Int64(number), sealed)
        keep(details, number)
    }

    private func keep(_ details: ConversationDetails, _ number: UInt32) {
        if opened.count >= Limits.cachedConversations { opened = [:] }
        opened[number] = details
    }

    // MARK: Counters

    func apply(_ change: Change, to number: UInt32) throws {
        try applyChange.run(Int64(number), Int64(change.messages), Int64(change.received), Int64(change.unread))
    }

    func setUnread(_ unread: Int, of number: UInt32) throws { try setUnread.run(Int64(number), Int64(unread)) }

    /// Conversations that have messages, by number; or a single one, with or without messages.
    func rows(only number: UInt32? = nil) throws -> [Row] {
        let select = number == nil ? selectRows : selectRow
        if let number { select.bind(1, Int64(number)) }
        return try select.all { row in
            let number = UInt32(truncatingIfNeeded: row.int(0))
            let name = row.withBlob(1) { String(decoding: $0, as: UTF8.self) }
            return Row(
                number: number, name: name,
                details: opened[number] ?? details(row, column: 2, number, name),
                messages: Int(row.int(3)), unread: Int(row.int(4)),
                newest: newest.message(row, column: 5, of: number),
                reading: Self.reading(row, column: 6))
        }
    }

    typealias Totals = (messages: Int, conversations: Int, unread: Int)

    func totals() throws -> Totals {
        try selectTotals.first { (Int($0.int(0)), Int($0.int(1)), Int($0.int(2))) } ?? (0, 0, 0)
    }
}
