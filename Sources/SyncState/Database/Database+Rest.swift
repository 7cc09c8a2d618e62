/// Letting go of the file without closing it.
///
/// A connection that took up its write-ahead log while it held the file exclusively keeps the log's index in its own
/// memory; SQLite lets it give up the file only after it has left WAL (sqlite.org/wal.html, "Use of WAL Without
/// Shared-Memory"). So a database at rest has a rollback journal: slower to write, and locked in transactions only.
extension Database {
    /// Moves the log into the file, removes it, and holds no lock from now on but while a transaction runs. Reading and
    /// writing go on. May be called again where it failed; not in a transaction.
    package func rest() throws(DatabaseError) {
        precondition(!inTransaction, "invariant: the file is let go between transactions")
        try setDurable(true)
        try checkpoint()
        isResting = true
        try execute("PRAGMA journal_mode = DELETE")
        try execute("PRAGMA locking_mode = NORMAL")
        // The lock goes at the end of the next transaction.
        try execute("SELECT count(*) FROM sqlite_schema")
    }

    /// Holds the file exclusively again, with its log. Throws where somebody else uses it; not in a transaction.
    package func wake() throws(DatabaseError) {
        guard isResting else { return }
        precondition(!inTransaction, "invariant: the file is taken up between transactions")
        try execute("PRAGMA locking_mode = EXCLUSIVE")
        try execute("PRAGMA journal_mode = WAL")
        isResting = false
    }
}
