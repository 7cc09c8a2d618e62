import NodeCore
import SyncState

/// Messages that apps gave to this device and that it did not archive, because an equal one stood in a segment of
/// another device. If such a segment does not count any more, they are queued again, with the chain data that came with
/// them.
struct GivenMessages {
    static var migration: Migration {
        Migration(
            "given messages",
            sql: """
                CREATE TABLE given(
                    conversation INTEGER NOT NULL, day INTEGER NOT NULL, name INTEGER NOT NULL,
                    block_time INTEGER, score INTEGER, status INTEGER NOT NULL,
                    PRIMARY KEY(conversation, day, name)) WITHOUT ROWID
                """)
    }

    private let insert, select: Statement

    init(_ database: Database) throws {
        insert = try database.prepare("INSERT OR REPLACE INTO given VALUES(?, ?, ?, ?, ?, ?)")
        select = try database.prepare(
            "SELECT block_time, score, status FROM given WHERE conversation = ? AND day = ? AND name = ?")
    }

    func note(_ message: ChatMessage, conversation: UInt32) throws {
        if let known = try find(message, conversation: conversation), !message.knowsMoreOfTheChain(than: known) {
            return
        }
        try insert.run(
            Int64(conversation), Int64(bitPattern: message.dayBucket), name(of: message),
            message.blockTime.map { Int64(bitPattern: $0) }, message.acceptingDaaScore.map { Int64(bitPattern: $0) },
            Int64(message.status.rawValue))
    }

    /// The message as it was given; nil if it was not, or this device archived it.
    func find(_ message: ChatMessage, conversation: UInt32) throws -> ChatMessage? {
        try select.first(Int64(conversation), Int64(bitPattern: message.dayBucket), name(of: message)) { row in
            guard let status = MessageStatus(rawValue: UInt8(truncatingIfNeeded: row.int(2))) else { return nil }
            var given = message
            given.blockTime = row.optionalInt(0).map { UInt64(bitPattern: $0) }
            given.acceptingDaaScore = row.optionalInt(1).map { UInt64(bitPattern: $0) }
            given.status = status
            return given
        }
    }

    /// A message is named by eight bytes of a hash of its txid and content; with conversation and day before it, those
    /// of one segment lie together.
    private func name(of message: ChatMessage) -> Int64 {
        let hash = Blake2b.hash32(message.txid.bytes + message.contentBytes, domain: "kachat given")
        return Int64(bitPattern: hash.w0)
    }
}
