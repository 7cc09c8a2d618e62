import CSQLite
package import SyncState

/// The whole database as bytes, to copy stores in memory.
extension Database {
    /// The bytes of the database file, as committed. No transaction may be open.
    package func snapshot() throws(DatabaseError) -> [UInt8] {
        precondition(!inTransaction, "invariant: a snapshot is of what is committed")
        var sizeBytes: sqlite3_int64 = 0
        guard let bytes = sqlite3_serialize(handle, "main", &sizeBytes, 0) else {
            throw Database.error(SQLITE_NOMEM, on: handle, sql: "serialize")
        }
        defer { sqlite3_free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(sizeBytes)))
    }

    /// A database in memory with the content of a snapshot.
    package convenience init(snapshot: [UInt8]) throws(DatabaseError) {
        try self.init(path: ":memory:")
        let sizeBytes = snapshot.count
        guard let buffer = sqlite3_malloc64(UInt64(sizeBytes)) else {
            throw Database.error(SQLITE_NOMEM, on: handle, sql: "deserialize")
        }
        snapshot.withUnsafeBytes {
            buffer.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(buffer), byteCount: sizeBytes)
        }
        let code = sqlite3_deserialize(
            handle, "main", buffer.assumingMemoryBound(to: UInt8.self), Int64(sizeBytes), Int64(sizeBytes),
            UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE))
        guard code == SQLITE_OK else { throw Database.error(code, on: handle, sql: "deserialize") }
    }
}
