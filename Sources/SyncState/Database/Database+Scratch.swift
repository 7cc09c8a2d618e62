extension Database {
    /// Runs `body` on changes that are undone behind it and never reach the disk: for a look at what would be, where
    /// there is no room to write it.
    ///
    /// Changed pages stay in memory however many they are. What objects keep in memory of the changes is theirs to
    /// bring back: this is no rollback of a transaction, and is not counted as one.
    package func scratch<T>(_ body: () throws -> T) throws -> T {
        try execute("PRAGMA cache_spill = OFF")
        try execute("SAVEPOINT scratch")
        // What never reaches the disk is no part of a quota.
        if mostBytes != nil { try bound(nil) }
        defer {
            // None needs the disk. After an error that made SQLite roll back all by itself there is none to go.
            try? execute("ROLLBACK TO scratch")
            try? execute("RELEASE scratch")
            try? execute("PRAGMA cache_spill = ON")
            if mostBytes != nil { try? bound(mostBytes) }
        }
        return try body()
    }
}
