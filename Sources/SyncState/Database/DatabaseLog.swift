import CSQLite

/// The write-ahead log of a connection. It is moved into the file by checkpoints, and at once after a failed sync.
///
/// A system drops the data that it failed to sync, and no later sync reports that. A commit that waits for the disk
/// gets the error. A commit that does not wait may be lost, and after a power cut the log would end there, before later
/// commits that did wait. So nothing is appended until the file has everything that can be read. The same is true at
/// the start of a log that is found: the process that wrote it may have ended after such a sync.
///
/// The power may fail while the log is moved, and the file with a part of it is whole only together with the log. So
/// the log's bytes are first written again in place: the system then syncs them, if it still has what it read.
final class DatabaseLog {
    private let handle: OpaquePointer
    private let checkpointPages: Int32
    private var hasFailed = true
    /// Whether its bytes were written again since: on a full disk each transaction tries to move them.
    private var isWrittenAgain = false
    /// Set while there is no room to move the log: no transaction that wrote since is committed.
    private var lack: (error: DatabaseError, changes: Int64)?

    /// Replaces SQLite's automatic checkpoint, which does not report its errors.
    init(_ handle: OpaquePointer, checkpointPages: Int) {
        self.handle = handle
        self.checkpointPages = Int32(clamping: checkpointPages)
        // The connection ends with its owner, as this does; nothing commits after that.
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                Unmanaged<DatabaseLog>.fromOpaque(context).takeUnretainedValue().committed(pages)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func committed(_ pages: Int32) {
        guard pages >= checkpointPages else { return }
        note(sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil))
    }

    /// Takes note of an operation's result.
    func note(_ code: Int32) {
        if code == Self.syncFailed { (hasFailed, isWrittenAgain) = (true, false) }
    }

    /// SQLITE_IOERR_FSYNC
    private static let syncFailed = SQLITE_IOERR | 4 << 8

    /// Called before a transaction: makes up for a failure. Throws as long as the disk fails; while it is full, reading
    /// continues.
    func settle() throws(DatabaseError) {
        guard hasFailed else { return }
        do throws(DatabaseError) {
            if !isWrittenAgain { try writeAgain() }
            isWrittenAgain = true
            try checkpoint()
        } catch {
            guard error.isDiskFull else { throw error }
            lack = (error, sqlite3_total_changes64(handle))
        }
    }

    /// Writes the bytes of the log in their places, and syncs them.
    private func writeAgain() throws(DatabaseError) {
        var found: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &found) == SQLITE_OK, let log = found,
            let methods = log.pointee.pMethods?.pointee
        else { return }
        func check(_ code: Int32?) throws(DatabaseError) {
            let code = code ?? SQLITE_MISUSE
            note(code)
            guard code == SQLITE_OK else { throw Database.error(code, on: handle, sql: "log") }
        }
        var size: Int64 = 0
        try check(methods.xFileSize(log, &size))
        guard size > 0 else { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Limits.rewrittenBytes, alignment: 1)
        defer { buffer.deallocate() }
        var place: Int64 = 0
        while place < size {
            let count = Int32(min(size - place, Int64(buffer.count)))
            try check(methods.xRead(log, buffer.baseAddress, count, place))
            try check(methods.xWrite(log, buffer.baseAddress, count, place))
            place += Int64(count)
        }
        try check(methods.xSync(log, SQLITE_SYNC_NORMAL))
    }

    /// Called before a commit: throws if something was written that must not follow the log.
    func admit() throws(DatabaseError) {
        if let lack, lack.changes != sqlite3_total_changes64(handle) { throw lack.error }
    }

    /// Moves the log into the file, syncs that, and empties the log.
    func checkpoint() throws(DatabaseError) {
        let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        note(code)
        guard code == SQLITE_OK else { throw Database.error(code, on: handle, sql: "checkpoint") }
        (hasFailed, lack) = (false, nil)
    }
}

/// Releases the file without closing it.
///
/// A connection that opened its write-ahead log while holding the file exclusively keeps the log's index in its own
/// memory; SQLite lets it release the file only after leaving WAL mode (sqlite.org/wal.html, "Use of WAL Without
/// Shared-Memory"). So a database at rest uses a rollback journal: slower to write, and locked only during
/// transactions.
extension Database {
    /// Moves the log into the file, removes it, and from now on locks the file only during transactions. Reading and
    /// writing remain possible. Can be called again after a failure; not inside a transaction.
    package func rest() throws(DatabaseError) {
        precondition(!inTransaction, "invariant: the file is let go between transactions")
        try setDurable(true)
        try checkpoint()
        isResting = true
        try execute("PRAGMA journal_mode = DELETE")
        try execute("PRAGMA locking_mode = NORMAL")
        // The lock is released at the end of the next transaction.
        try execute("SELECT count(*) FROM sqlite_schema")
    }

    /// Holds the file exclusively again, with its log. Throws if another process uses the file; not inside a
    /// transaction.
    package func wake() throws(DatabaseError) {
        guard isResting else { return }
        precondition(!inTransaction, "invariant: the file is taken up between transactions")
        try execute("PRAGMA locking_mode = EXCLUSIVE")
        try execute("PRAGMA journal_mode = WAL")
        isResting = false
    }
}
