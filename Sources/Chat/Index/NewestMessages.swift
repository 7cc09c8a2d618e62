import NodeCore
import SyncState

/// The newest message of each conversation, sealed, so that listing conversations opens no segment.
///
/// A row loses it in the transaction that changes the conversation's listing, and gets it back after the next one that
/// writes the index. So it is always the newest of the listed messages.
final class NewestMessages {
    static var migration: Migration {
        Migration(
            "newest messages",
            sql: """
                ALTER TABLE conversation DROP COLUMN last;
                ALTER TABLE conversation ADD COLUMN newest BLOB;
                """)
    }

    /// Conversations whose rows lack it.
    private(set) var lacking: Set<UInt32> = []
    var order = ConversationOrder()
    private var known: [UInt32: NewestMessage] = [:]
    private let key: Secret
    private var random: any RandomSource
    private let update: Statement

    /// - Parameter key: the 32-byte key that seals them.
    init(database: Database, key: Secret, random: any RandomSource) throws {
        self.key = key
        self.random = random
        update = try database.prepare("UPDATE conversation SET newest = ?2 WHERE id = ?1")
    }

    /// Called when the listing of a conversation changes, in the open transaction.
    func changed(_ number: UInt32) throws {
        known[number] = nil
        lacking.insert(number)
        order.note(number)
        update.bind(1, Int64(number))
        update.bindNull(2)
        try update.run()
    }

    /// Clears the cache.
    func forget() {
        known = [:]
        lacking = []
        order.forget()
    }

    /// The newest message from the row, or from memory if the row lacks it.
    func message(_ row: Statement, column: Int32, of number: UInt32) -> NewestMessage? {
        if let message = known[number] { return message }
        guard !row.isNull(column) else { return nil }
        // Rotten data is treated as missing.
        let opened = row.withBlob(column) { sealed in
            withUnsafeBytes(of: number) { try? XChaChaPoly.open(sealed, associatedData: $0, key: key) }
        }
        guard let opened, let message = try? NewestMessage(encoded: opened) else { return nil }
        keep(message, number)
        return message
    }

    /// Keeps in memory a message that its row lacks.
    func keep(_ message: NewestMessage, lackedBy number: UInt32) {
        lacking.insert(number)
        keep(message, number)
    }

    private func keep(_ message: NewestMessage, _ number: UInt32) {
        if known.count >= Limits.cachedConversations { known = [:] }
        known[number] = message
    }

    /// Fills rows that lack it with the message that `find` returns, if any.
    func store(_ find: (UInt32) throws -> NewestMessage?) throws {
        for number in lacking.sorted() {
            guard let message = try known[number] ?? find(number) else { continue }
            let sealed = message.encoded.withUnsafeBytes { plain in
                withUnsafeBytes(of: number) {
                    XChaChaPoly.seal(plain, associatedData: $0, key: key, random: &random)
                }
            }
            try update.run(Int64(number), sealed)
            keep(message, number)
        }
        lacking = []
    }
}

/// A conversation's newest message, as shown in the list of conversations.
struct NewestMessage: Equatable {
    let txid: TxID
    let contact: String
    let blockTime: UInt64?
    let senderTimestamp: UInt64

    /// The sort key of conversations, in milliseconds.
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
