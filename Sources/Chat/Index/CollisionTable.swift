import NodeCore
import SyncState

/// The locations of messages whose hash was already taken by another.
struct CollisionTable {
    private let select, replace, delete, selectOne: Statement

    init(_ database: Database) throws {
        select = try database.prepare("SELECT location FROM txid_collision WHERE txid = ?")
        replace = try database.prepare("INSERT OR REPLACE INTO txid_collision(txid, hash, location) VALUES(?, ?, ?)")
        delete = try database.prepare("DELETE FROM txid_collision WHERE txid = ?")
        // The table is empty, or nearly: an index would cost more.
        selectOne = try database.prepare("SELECT txid, location FROM txid_collision WHERE hash = ? LIMIT 1")
    }

    /// The message's location; nil if its hash is its own, or it is not known.
    func location(of txid: TxID) throws -> MessageLocation? {
        try select.first(txid.bytes) { MessageLocation(word: UInt64(bitPattern: $0.int(0))) }
    }

    /// - Parameter location: nil if the message is no longer held.
    func put(_ txid: TxID, hash: UInt64, _ location: MessageLocation?) throws {
        guard let location else {
            return try delete.run(txid.bytes)
        }
        try replace.run(txid.bytes, Int64(bitPattern: hash), Int64(bitPattern: location.word))
    }

    /// Takes out one of the messages of a hash, now that the hash is free.
    func takeOne(hash: UInt64) throws -> MessageLocation? {
        let found = try selectOne.first(Int64(bitPattern: hash)) { row in
            (row.blob(0), MessageLocation(word: UInt64(bitPattern: row.int(1))))
        }
        guard let (txid, location) = found else { return nil }
        try delete.run(txid)
        return location
    }
}
