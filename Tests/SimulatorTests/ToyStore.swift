import NodeCore
import SyncState

/// A row of the toy's set.
enum ToyRow {
    case message(TxID)
    case read(String, UInt64)

    var bytes: [UInt8] {
        switch self {
        case .message(let txid): [0] + txid.bytes
        case .read(let conversation, let position): [1] + ToyMessage.bytes(position) + Array(conversation.utf8)
        }
    }

    init?(bytes: [UInt8]) {
        switch bytes.first {
        case 0:
            guard let txid = TxID(bytes: bytes.dropFirst()) else { return nil }
            self = .message(txid)
        case 1 where bytes.count >= 9:
            let position = bytes[1..<9].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            self = .read(String(decoding: bytes[9...], as: UTF8.self), position)
        default: return nil
        }
    }

    var isMultipleOfFive: Bool { Blake2b.hash16(bytes).w0.isMultiple(of: 5) }
}

/// The toy's durable set: messages, and the highest read position of each conversation.
struct ToyStore {
    private let database: Database
    private let insert: Statement
    private let select: Statement
    private let position: Statement
    private let replace: Statement
    private let positions: Statement
    /// The digest of all rows put, committed or not: a node that could not commit does not live on.
    private(set) var digest = ZoneDigest.zero

    init(_ database: Database) throws {
        self.database = database
        try database.execute("CREATE TABLE IF NOT EXISTS message(txid BLOB PRIMARY KEY)")
        try database.execute("CREATE TABLE IF NOT EXISTS read(conversation TEXT PRIMARY KEY, position INTEGER)")
        insert = try database.prepare("INSERT OR IGNORE INTO message VALUES(?)")
        select = try database.prepare("SELECT txid FROM message ORDER BY txid")
        position = try database.prepare("SELECT position FROM read WHERE conversation = ?")
        replace = try database.prepare("INSERT OR REPLACE INTO read VALUES(?, ?)")
        positions = try database.prepare("SELECT conversation, position FROM read ORDER BY conversation")
        for row in try all() { toggle(row) }
    }

    /// Returns whether the row is new. Call it inside a transaction.
    mutating func put(_ row: ToyRow, force: Bool) throws -> Bool {
        switch row {
        case .message(let txid):
            insert.bind(1, txid.bytes)
            try insert.run()
            guard database.changes > 0 else { return false }
        case .read(let conversation, let value):
            position.bind(1, conversation)
            let held = try position.step() ? UInt64(position.int(0)) : nil
            position.reset()
            guard value != held, force || value > held ?? 0 else { return false }
            replace.bind(1, conversation)
            replace.bind(2, Int64(value))
            try replace.run()
            if let held { toggle(.read(conversation, held)) }
        }
        toggle(row)
        return true
    }

    func all() throws -> [ToyRow] {
        defer {
            select.reset()
            positions.reset()
        }
        var rows: [ToyRow] = []
        while try select.step() {
            if let txid = TxID(bytes: select.blob(0)) { rows.append(.message(txid)) }
        }
        while try positions.step() { rows.append(.read(positions.text(0), UInt64(positions.int(1)))) }
        return rows
    }

    private mutating func toggle(_ row: ToyRow) {
        let hash = Blake2b.hash16(row.bytes)
        digest = ZoneDigest(Bytes16(digest.storage.w0 ^ hash.w0, digest.storage.w1 ^ hash.w1))
    }
}
