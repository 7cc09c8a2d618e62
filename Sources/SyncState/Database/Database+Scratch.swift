extension Database {
    /// Runs `body` and undoes its changes, which never reach the disk: a way to see a result when there is no room to
    /// write.
    ///
    /// All changed pages stay in memory. Objects that cache changes must restore themselves: this is not a rollback of
    /// a transaction, and `rollbackCount` does not change.
    package func scratch<T>(_ body: () throws -> T) throws -> T {
        try execute("PRAGMA cache_spill = OFF")
        let isOutermost = !inTransaction
        try execute("SAVEPOINT scratch")
        // Nothing reaches the disk, so the quota does not apply.
        if mostBytes != nil { try bound(nil) }
        defer {
            // Neither statement needs the disk. Releasing an outermost savepoint would, because it commits even
            // unchanged pages. After an error that made SQLite roll back by itself, there is nothing to undo.
            try? execute("ROLLBACK TO scratch")
            try? execute(isOutermost ? "ROLLBACK" : "RELEASE scratch")
            try? execute("PRAGMA cache_spill = ON")
            if mostBytes != nil { try? bound(mostBytes) }
        }
        return try body()
    }
}
