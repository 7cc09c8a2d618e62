import NodeCore
import SyncState

/// The locations of messages whose hash was already taken by another.
struct CollisionTable {
    private let select, replace, delete, selectOne: Statement

    init(_ database: Database) throws {
        select = try database.prepare("SELECT location FROM txid_collision WHERE txid = ?")
        replace = try database.prepare("INSERT OR REPLACE INTO txid_collision(txid, hash, location) VALUES(?, ?, ?)")
        delete = try database.prepare("DELETE FROM txid_collision WHERE txid = ?")
        // A table that is empty, or nearly: an index would cost more.
        selectOne = try database.prepare("SELECT txid, location FROM txid_collision WHERE hash = ? LIMIT 1")
    }

    /// Nil where its hash is its own, or it is not known.
    func location(of txid: TxID) throws -> MessageLocation? {
        select.bind(1, txid.bytes)
        guard try select.step() else { return nil }
        defer { select.reset() }
        return MessageLocation(word: UInt64(bitPattern: select.int(0)))
    }

    /// - Parameter location: nil where the message is not held any more.
    func put(_ txid: TxID, hash: UInt64, _ location: MessageLocation?) throws {
        guard let location else {
            delete.bind(1, txid.bytes)
            return try delete.run()
        }
        replace.bind(1, txid.bytes)
        replace.bind(2, Int64(bitPattern: hash))
        replace.bind(3, Int64(bitPattern: location.word))
        try replace.run()
    }

    /// Takes out one of the messages of a hash, now that the hash is free.
    func takeOne(hash: UInt64) throws -> MessageLocation? {
        selectOne.bind(1, Int64(bitPattern: hash))
        guard try selectOne.step() else { return nil }
        let txid = selectOne.blob(0)
        let location = MessageLocation(word: UInt64(bitPattern: selectOne.int(1)))
        selectOne.reset()
        delete.bind(1, txid)
        try delete.run()
        return location
    }
}
