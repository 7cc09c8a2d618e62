import CSQLite

/// A copy of a database that is in use, made in small steps (sqlite3_backup_init).
///
/// Commits of its connection between two steps are included, so it holds the database as of the last step; after a
/// rollback the copying starts again. The copy is not in WAL mode and not synced: read it once and move it elsewhere.
package final class DatabaseBackup {
    private let source: Database
    private let target: OpaquePointer
    private var backup: OpaquePointer?

    /// - Parameter path: an empty file, or one that does not exist.
    package init(of source: Database, to path: String) throws(DatabaseError) {
        self.source = source
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let error = Database.error(code, on: opened, sql: "backup")
            sqlite3_close_v2(opened)
            throw error
        }
        target = opened
        do throws(DatabaseError) {
            try Database.run("PRAGMA journal_mode = OFF", on: opened)
            try Database.run("PRAGMA synchronous = OFF", on: opened)
            backup = sqlite3_backup_init(opened, "main", source.handle, "main")
            guard backup != nil else { throw Database.error(sqlite3_errcode(opened), on: opened, sql: "backup") }
        } catch {
            sqlite3_close_v2(opened)
            throw error
        }
    }

    deinit {
        if let backup { sqlite3_backup_finish(backup) }
        sqlite3_close_v2(target)
    }

    /// The pages still to copy and the total, as of the last step.
    package var progress: (remaining: Int, pages: Int) {
        (Int(sqlite3_backup_remaining(backup)), Int(sqlite3_backup_pagecount(backup)))
    }

    /// Copies that many pages; false when all are copied. The source must have no open transaction.
    package func step(pages: Int) throws(DatabaseError) -> Bool {
        precondition(!source.inTransaction, "invariant: what is open is committed before a step")
        let code = sqlite3_backup_step(backup, Int32(pages))
        switch code {
        case SQLITE_OK: return true
        case SQLITE_DONE: return false
        default:
            // The system error is that of the target file, the one that can run out of room.
            throw DatabaseError(
                code: code, message: String(cString: sqlite3_errstr(code)), sql: "backup",
                systemError: sqlite3_system_errno(target))
        }
    }
}

/// The whole database as bytes: used by tests and the simulator to copy in-memory stores.
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
