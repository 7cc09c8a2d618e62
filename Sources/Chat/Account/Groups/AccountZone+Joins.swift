package import NodeCore
import SyncState

/// Joins that wait until a member lets the account in. They are this device's own affair, and survive restarts.
extension AccountZone {
    static var pendingJoinMigration: Migration {
        Migration(
            "pending joins",
            sql: "CREATE TABLE pending_join(id BLOB PRIMARY KEY, sealed BLOB NOT NULL) WITHOUT ROWID")
    }

    /// Keeps a join from the next commit on, in place of an earlier one of that group.
    ///
    /// - Parameter pending: what the join needs, its token among it.
    package func keep(pending: [UInt8], for group: ZoneID) throws {
        let sealed = XChaChaPoly.seal(pending, associatedData: group.bytes, key: keys.joinKey, random: &random)
        try store.begin()
        let statement = try database.prepare("INSERT OR REPLACE INTO pending_join VALUES(?, ?)")
        statement.bind(1, group.bytes)
        statement.bind(2, sealed)
        try statement.run()
    }

    package func forgetPending(_ group: ZoneID) throws {
        try store.begin()
        let statement = try database.prepare("DELETE FROM pending_join WHERE id = ?")
        statement.bind(1, group.bytes)
        try statement.run()
    }

    /// Ascending by group. What rotted is left out: the user has the token.
    package func pendingJoins() throws -> [(group: ZoneID, content: [UInt8])] {
        let query = try database.prepare("SELECT id, sealed FROM pending_join ORDER BY id")
        var found: [(ZoneID, [UInt8])] = []
        while try query.step() {
            guard let group = ZoneID(bytes: query.blob(0)),
                let content = try? XChaChaPoly.open(query.blob(1), associatedData: group.bytes, key: keys.joinKey)
            else { continue }
            found.append((group, content))
        }
        return found
    }
}
