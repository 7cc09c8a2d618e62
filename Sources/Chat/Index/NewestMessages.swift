import NodeCore
import SyncState

/// The newest message of each conversation, sealed: so that the list of conversations opens no segment.
///
/// A row loses it in the transaction that changes the conversation's listing, and gets it again behind the next one
/// that writes the index. So what stands there is always the newest of what is listed.
final class NewestMessages {
    static var migration: Migration {
        Migration(
            "newest messages",
            sql: """
                ALTER TABLE conversation DROP COLUMN last;
                ALTER TABLE conversation ADD COLUMN newest BLOB;
                """)
    }

    /// Conversations whose rows lack theirs.
    private(set) var lacking: Set<UInt32> = []
    private var known: [UInt32: NewestMessage] = [:]
    private let key: Secret
    private var random: any RandomSource
    private let update: Statement

    /// - Parameter key: 32 bytes that seal them.
    init(database: Database, key: Secret, random: any RandomSource) throws {
        self.key = key
        self.random = random
        update = try database.prepare("UPDATE conversation SET newest = ?2 WHERE id = ?1")
    }

    /// The listing of a conversation changes, in the transaction that is open.
    func changed(_ number: UInt32) throws {
        known[number] = nil
        lacking.insert(number)
        update.bind(1, Int64(number))
        update.bindNull(2)
        try update.run()
    }

    /// Forgets what is kept in memory.
    func forget() {
        known = [:]
        lacking = []
    }

    /// What a row has, or what is known beside it.
    func message(_ row: Statement, column: Int32, of number: UInt32) -> NewestMessage? {
        if let message = known[number] { return message }
        guard !row.isNull(column) else { return nil }
        // What rotted is as if it were not there.
        let opened = row.withBlob(column) { sealed in
            withUnsafeBytes(of: number) { try? XChaChaPoly.open(sealed, associatedData: $0, key: key) }
        }
        guard let opened, let message = try? NewestMessage(encoded: opened) else { return nil }
        keep(message, number)
        return message
    }

    /// Keeps what a row lacks.
    func keep(_ message: NewestMessage, lackedBy number: UInt32) {
        lacking.insert(number)
        keep(message, number)
    }

    private func keep(_ message: NewestMessage, _ number: UInt32) {
        if known.count >= Limits.cachedConversations { known = [:] }
        known[number] = message
    }

    /// Writes what rows lack: of each conversation the message that `find` gives, or none.
    func store(_ find: (UInt32) throws -> NewestMessage?) throws {
        for number in lacking.sorted() {
            guard let message = try known[number] ?? find(number) else { continue }
            let sealed = message.encoded.withUnsafeBytes { plain in
                withUnsafeBytes(of: number) {
                    XChaChaPoly.seal(plain, associatedData: $0, key: key, random: &random)
                }
            }
            update.bind(1, Int64(number))
            update.bind(2, sealed)
            try update.run()
            keep(message, number)
        }
        lacking = []
    }
}

/// What the list of conversations shows of the newest message of one.
struct NewestMessage: Equatable {
    let txid: TxID
    let contact: String
    let blockTime: UInt64?
    let senderTimestamp: UInt64

    /// By which conversations are listed, in milliseconds.
    var time: UInt64 { MessageOrder.time(blockTime: blockTime, senderTimestamp: senderTimestamp) }
}

extension NewestMessage {
    var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 64 + contact.utf8.count)
        writer.writeArray(blockTime == nil ? 3 : 4)
        writer.write(txid)
        writer.write(text: contact)
        writer.write(senderTimestamp)
        if let blockTime { writer.write(blockTime) }
        return writer.bytes
    }

    init(encoded: [UInt8]) throws(CBORError) {
        var reader = CBORReader(encoded)
        let count = try reader.readArray(max: 4)
        guard count >= 3 else { throw .outOfRange(at: 0) }
        txid = try reader.read(TxID.self)
        contact = try reader.readText(max: Limits.contactBytes)
        senderTimestamp = try reader.readUInt()
        blockTime = count > 3 ? try reader.readUInt() : nil
        try reader.finish()
    }
}
