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
