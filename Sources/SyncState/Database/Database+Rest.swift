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
