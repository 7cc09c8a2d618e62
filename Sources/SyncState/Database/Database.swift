import CSQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// One SQLite file with one connection, confined to the thread of the loop that owns it.
///
/// The connection holds the file exclusively: a second one, in this process or another, is refused. That prevents two
/// programs on one home, saves the locks of each transaction, and avoids the WAL-reset bug of SQLite before 3.51, which
/// needs two connections.
///
/// A commit is durable when `commit` returns (synchronous FULL) unless `setDurable(false)` was called before `begin`:
/// then it is ordered after the earlier commits, but a power cut may lose it. Only data that can be derived again is
/// written that way.
package final class Database {
    package let handle: OpaquePointer
    private let beginStatement: Statement.Handle
    private let commitStatement: Statement.Handle
    private let readStatement: Statement.Handle
    private var isDurable = true
    /// Settles the log after a failed sync.
    private let log: DatabaseLog
    /// Whether the file is unlocked between transactions. Changed only by `rest` and `wake`.
    package internal(set) var isResting = false
    /// The file's maximum size; nil if unlimited. Changed only by `setMost`.
    package internal(set) var mostBytes: Int?
    /// The room that was left when a batch from peers did not fit; nil if none was refused under this limit. Changed
    /// only by `setMost` and `noteRefusal`.
    var refusedRoomBytes: Int?
    /// The open transaction may exceed the limit. Changed only by `exceedMost` and `returnToMost`.
    var exceedsMost = false
    /// Called before each operation of the database; an error it throws becomes the operation's result. The simulator
    /// uses it to cut the power between any two operations.
    package var probe: ((Operation) throws(DatabaseError) -> Void)?

    package enum Operation: Sendable {
        case begin
        case commit
        case execute
        case step
    }
    /// Number of transactions rolled back. Objects that cache written data compare it, and reload when it changes.
    package private(set) var rollbackCount: UInt64 = 0

    /// Opens the file, or creates it.
    ///
    /// - Parameters:
    ///   - path: a file name, or ":memory:".
    ///   - pageSizeBytes: takes effect on a new file only.
    ///   - checkpointBytes: the size of the log at which it is moved into the file.
    ///   - vfs: the name of SQLite's layer below, such as a disk that fails on purpose; nil for the system's.
    package init(
        path: String, pageSizeBytes: Int = Limits.pageSizeBytes, checkpointBytes: Int = Limits.checkpointBytes,
        vfs: String? = nil
    ) throws(DatabaseError) {
        if vfs == nil, path != ":memory:" { Database.makeFile(path) }
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, vfs)
        guard code == SQLITE_OK, let opened else {
            let error = DatabaseError(
                code: code, message: opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory",
                sql: nil, systemError: opened.map { sqlite3_system_errno($0) } ?? 0)
            sqlite3_close_v2(opened)
            throw error
        }
        do throws(DatabaseError) {
            try Database.configure(opened, pageSizeBytes: pageSizeBytes)
            try Database.refuseForeignSchema(opened)
            beginStatement = try Statement.Handle(opened, "BEGIN IMMEDIATE")
            commitStatement = try Statement.Handle(opened, "COMMIT")
            readStatement = try Statement.Handle(opened, "BEGIN")
        } catch {
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        log = DatabaseLog(opened, checkpointPages: max(1, checkpointBytes / pageSizeBytes))
        // If there is no room, it is tried again before the first transaction.
        try? log.settle()
    }

    deinit {
        // If a statement outlives this object, the connection stays as a zombie; SQLite closes it with the last
        // statement.
        sqlite3_close_v2(handle)
    }

    /// Creates the file so that others on the machine cannot read it; SQLite gives its log the same mode. An existing
    /// file is not touched: closing it would release the locks of another connection.
    private static func makeFile(_ path: String) {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file >= 0 { close(file) }
    }

    private static func configure(_ handle: OpaquePointer, pageSizeBytes: Int) throws(DatabaseError) {
        // The file may come from a backup that somebody tampered with: nothing in it may be executed.
        for (option, value) in [
            (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_DEFENSIVE, 1),
            (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
        ] {
            let code = kachat_sqlite_switch(handle, option, Int32(value))
            guard code == SQLITE_OK else { throw error(code, on: handle, sql: nil) }
        }
        for sql in [
            // Must precede WAL, or it has no effect.
            "PRAGMA page_size = \(pageSizeBytes)",
            "PRAGMA locking_mode = EXCLUSIVE",
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "PRAGMA foreign_keys = OFF",
            // Negative means KiB.
            "PRAGMA cache_size = -\(Limits.pageCacheBytes / 1024)",
            "PRAGMA journal_size_limit = \(Limits.journalKeptBytes)",
            "PRAGMA mmap_size = 0",
            "PRAGMA temp_store = MEMORY",
            // Finds a damaged page when it is read, not a query later.
            "PRAGMA cell_size_check = ON",
        ] {
            try run(sql, on: handle)
        }
    }

    /// Triggers and views, which no node creates, could run code of the file. They are also switched off.
    private static func refuseForeignSchema(_ handle: OpaquePointer) throws(DatabaseError) {
        let code = sqlite3_exec(
            handle, "SELECT 1 FROM sqlite_schema WHERE type IN ('trigger', 'view')", { _, _, _, _ in 1 }, nil, nil)
        guard code == SQLITE_OK else {
            guard code == SQLITE_ABORT else { throw error(code, on: handle, sql: "SELECT FROM sqlite_schema") }
            throw DatabaseError(code: SQLITE_CORRUPT, message: "it has triggers or views, which no node makes")
        }
    }

    static func run(_ sql: String, on handle: OpaquePointer) throws(DatabaseError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, on: handle, sql: sql) }
    }

    package static func error(_ code: Int32, on handle: OpaquePointer?, sql: String?) -> DatabaseError {
        // SQLite loses the system's error of a failed COMMIT, but nothing has changed errno since.
        let last = code & 0xff == SQLITE_IOERR ? errno : 0
        let kept = handle.map { sqlite3_system_errno($0) } ?? 0
        return DatabaseError(
            code: code, message: handle.map { String(cString: sqlite3_errmsg($0)) } ?? "no connection", sql: sql,
            systemError: kept == 0 ? last : kept)
    }

    /// Runs statements without parameters and discards their rows.
    package func execute(_ sql: String) throws(DatabaseError) {
        try probe?(.execute)
        try Database.run(sql, on: handle)
    }

    /// Prepares a statement to keep and run often. It is finalised when released.
    package func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        try Statement(database: self, sql: sql)
    }

    /// Rows changed by the latest INSERT, UPDATE or DELETE.
    package var changes: Int { Int(sqlite3_changes64(handle)) }

    /// Row id of the latest INSERT.
    package var lastInsertRowID: Int64 { sqlite3_last_insert_rowid(handle) }
}

extension Database {
    /// True between `begin` and `commit` or `rollback`, unless SQLite itself has rolled back after an error.
    package var inTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Starts a transaction that may write.
    package func begin() throws(DatabaseError) {
        try probe?(.begin)
        try log.settle()
        try beginStatement.run(on: handle)
    }

    /// Commits the transaction. If it throws, the transaction is still open or already rolled back: call `rollback`.
    package func commit() throws(DatabaseError) {
        try probe?(.commit)
        try log.admit()
        do throws(DatabaseError) {
            try commitStatement.run(on: handle)
        } catch {
            log.note(error.code)
            throw error
        }
        returnToMost()
    }

    /// Rolls the transaction back. Harmless if none is open, since SQLite rolls back by itself after some errors.
    package func rollback() {
        rollbackCount &+= 1
        defer { returnToMost() }
        guard inTransaction else { return }
        // It cannot fail and leave the transaction open; any error it returns was reported before.
        _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }

    /// Runs `body` in the open transaction, or in a new one, which is rolled back if `body` throws.
    package func transaction<T>(_ body: () throws -> T) throws -> T {
        if inTransaction { return try body() }
        try begin()
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// Runs `body`, which must not write, with one snapshot of the file. Otherwise each query outside a transaction
    /// opens and closes its own snapshot, which costs as much as finding a row.
    package func reading<T>(_ body: () throws -> T) throws -> T {
        guard !inTransaction else { return try body() }
        try readStatement.run(on: handle)
        // Nothing was changed, so nothing can be lost.
        defer { try? commitStatement.run(on: handle) }
        return try body()
    }

    /// Sets whether commits wait for the disk (true, as at the start) or are only kept in order (false).
    ///
    /// Has no effect inside a transaction, so it is refused there.
    package func setDurable(_ durable: Bool) throws(DatabaseError) {
        // Without a write-ahead log, a commit that does not wait may corrupt the file, not just be lost.
        guard durable != isDurable, durable || !isResting else { return }
        precondition(!inTransaction, "invariant: durability is chosen outside a transaction")
        try execute("PRAGMA synchronous = \(durable ? "FULL" : "NORMAL")")
        isDurable = durable
    }

    /// Moves the write-ahead log into the file and empties it.
    package func checkpoint() throws(DatabaseError) {
        try log.checkpoint()
    }
}

extension Database {
    /// The version of the SQLite library in use.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}

/// Detecting damage.
extension Database {
    /// The first finding of `PRAGMA quick_check`: pages that are lost, used twice or malformed, or rows out of order.
    /// Nil if it finds nothing. Reads the whole file; checking the content of rows is the scrub's task.
    package func quickCheck() throws(DatabaseError) -> String? {
        let statement = try prepare("PRAGMA quick_check(1)")
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let found = statement.text(0)
        return found == "ok" ? nil : found
    }
}
