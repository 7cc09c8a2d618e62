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
/// The connection holds the file exclusively: a second one, in this process or another, is refused. That keeps two
/// programs from one home, saves the locks of each transaction, and keeps clear of the WAL-reset bug of SQLite before
/// 3.51, which needs two connections.
///
/// A commit is durable when `commit` returns (synchronous FULL) unless `setDurable(false)` was called before `begin`:
/// then it is ordered behind the earlier commits, but a power cut may take it. Only what can be derived anew is
/// written so.
package final class Database {
    let handle: OpaquePointer
    private let beginStatement: Statement.Handle
    private let commitStatement: Statement.Handle
    private let readStatement: Statement.Handle
    private var isDurable = true
    /// The file is not held between transactions. Changed by `rest` and `wake` only.
    package internal(set) var isResting = false
    /// The file grows to no more than that; nil where nobody bounds it. Changed by `setMost` only.
    package internal(set) var mostBytes: Int?
    /// The room in which a batch of peers' did not fit; nil where none was refused under this bound. Changed by
    /// `setMost` and `noteRefusal` only.
    var refusedRoomBytes: Int?
    /// Called before each operation of the database; what it throws becomes the operation's result. The simulator cuts
    /// the power there, between any two operations.
    package var probe: ((Operation) throws(DatabaseError) -> Void)?

    package enum Operation: Sendable {
        case begin
        case commit
        case execute
        case step
    }
    /// How often a transaction was rolled back. Who keeps in memory what a transaction wrote compares it, and reads
    /// anew after a change.
    package private(set) var rollbackCount: UInt64 = 0

    /// Opens the file, or creates it.
    ///
    /// - Parameters:
    ///   - path: a file name, or ":memory:".
    ///   - pageSizeBytes: takes effect on a new file only.
    package init(path: String, pageSizeBytes: Int = Limits.pageSizeBytes) throws(DatabaseError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
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
    }

    deinit {
        // A statement that outlives this object keeps the connection as a zombie; SQLite closes it with the last one.
        sqlite3_close_v2(handle)
    }

    private static func configure(_ handle: OpaquePointer, pageSizeBytes: Int) throws(DatabaseError) {
        // A file may come from a backup that somebody had a hand in: nothing in it is run.
        for (option, value) in [
            (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_DEFENSIVE, 1),
            (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
        ] {
            let code = kachat_sqlite_switch(handle, option, Int32(value))
            guard code == SQLITE_OK else { throw error(code, on: handle, sql: nil) }
        }
        let checkpointPages = max(1, Limits.checkpointBytes / pageSizeBytes)
        for sql in [
            // Before WAL, or it has no effect.
            "PRAGMA page_size = \(pageSizeBytes)",
            "PRAGMA locking_mode = EXCLUSIVE",
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "PRAGMA foreign_keys = OFF",
            // Negative means KiB.
            "PRAGMA cache_size = -\(Limits.pageCacheBytes / 1024)",
            "PRAGMA wal_autocheckpoint = \(checkpointPages)",
            "PRAGMA journal_size_limit = \(Limits.journalKeptBytes)",
            "PRAGMA mmap_size = 0",
            "PRAGMA temp_store = MEMORY",
            // A damaged page is found where it is read, not a query later.
            "PRAGMA cell_size_check = ON",
        ] {
            try run(sql, on: handle)
        }
    }

    /// Triggers and views, which no node makes, would speak for it. They are switched off besides.
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

    static func error(_ code: Int32, on handle: OpaquePointer?, sql: String?) -> DatabaseError {
        // SQLite forgets the system's error of a failed COMMIT, and nothing has touched errno since.
        let last = code & 0xff == SQLITE_IOERR ? errno : 0
        let kept = handle.map { sqlite3_system_errno($0) } ?? 0
        return DatabaseError(
            code: code, message: handle.map { String(cString: sqlite3_errmsg($0)) } ?? "no connection", sql: sql,
            systemError: kept == 0 ? last : kept)
    }

    /// Runs statements that bind nothing and whose rows nobody wants.
    package func execute(_ sql: String) throws(DatabaseError) {
        try probe?(.execute)
        try Database.run(sql, on: handle)
    }

    /// A statement to be kept and run often. It is finalised when it is released.
    package func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        try Statement(database: self, sql: sql)
    }

    /// Rows changed by the latest INSERT, UPDATE or DELETE.
    package var changes: Int { Int(sqlite3_changes64(handle)) }

    /// Row id of the latest INSERT.
    package var lastInsertRowID: Int64 { sqlite3_last_insert_rowid(handle) }
}

extension Database {
    /// True between `begin` and `commit` or `rollback`, and until SQLite itself has rolled back after an error.
    package var inTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Starts a transaction that may write.
    package func begin() throws(DatabaseError) {
        try probe?(.begin)
        try beginStatement.run(on: handle)
    }

    /// Ends the transaction; if it throws, the transaction is still open or already rolled back: call `rollback`.
    package func commit() throws(DatabaseError) {
        try probe?(.commit)
        try commitStatement.run(on: handle)
    }

    /// Undoes the transaction. Harmless where none is open, since SQLite rolls back by itself after some errors.
    package func rollback() {
        rollbackCount &+= 1
        guard inTransaction else { return }
        // It cannot fail in a way that leaves the transaction open; what it reports was reported before.
        _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }

    /// Runs `body` in a transaction: in the one that is open, or in its own, which is undone when `body` throws.
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

    /// Runs `body`, which must not write, with one view of the file: each query outside of a transaction takes one up
    /// and gives it up again, which costs as much as finding a row.
    package func reading<T>(_ body: () throws -> T) throws -> T {
        guard !inTransaction else { return try body() }
        try readStatement.run(on: handle)
        // It has changed nothing, so nothing can be lost here.
        defer { try? commitStatement.run(on: handle) }
        return try body()
    }

    /// Chooses whether commits wait for the disk (true, as at the start), or are only kept in order (false).
    ///
    /// Has no effect inside a transaction, so it is refused there.
    package func setDurable(_ durable: Bool) throws(DatabaseError) {
        // Without a write-ahead log a commit that does not wait is not only late: it may harm the file.
        guard durable != isDurable, durable || !isResting else { return }
        precondition(!inTransaction, "invariant: durability is chosen outside a transaction")
        try execute("PRAGMA synchronous = \(durable ? "FULL" : "NORMAL")")
        isDurable = durable
    }

    /// Moves the write-ahead log into the file and empties it.
    package func checkpoint() throws(DatabaseError) {
        let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK else { throw Database.error(code, on: handle, sql: "checkpoint") }
    }
}

extension Database {
    /// The version of the SQLite that this program runs with.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
