import CSQLite

/// A copy of a database that is in use, made in small steps (sqlite3_backup_init).
///
/// What its connection commits between two steps goes into the copy too, so it holds the database as it is when the
/// last step ends; after a rollback the copying begins anew. The copy is no WAL and not synced: it is to be read once
/// and moved elsewhere.
package final class DatabaseBackup {
    private let source: Database
    private let target: OpaquePointer
    private var backup: OpaquePointer?

    /// - Parameter path: an empty file, or none.
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

    /// Pages still to be copied, and all, as of the last step.
    package var progress: (remaining: Int, pages: Int) {
        (Int(sqlite3_backup_remaining(backup)), Int(sqlite3_backup_pagecount(backup)))
    }

    /// Copies so many pages; false when all are. The source has no transaction open.
    package func step(pages: Int) throws(DatabaseError) -> Bool {
        precondition(!source.inTransaction, "invariant: what is open is committed before a step")
        let code = sqlite3_backup_step(backup, Int32(pages))
        switch code {
        case SQLITE_OK: return true
        case SQLITE_DONE: return false
        default:
            // The file's system error is the target's: it is the one that runs out of room.
            throw DatabaseError(
                code: code, message: String(cString: sqlite3_errstr(code)), sql: "backup",
                systemError: sqlite3_system_errno(target))
        }
    }
}
