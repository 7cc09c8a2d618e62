package import Ledger
import NodeCore

/// The roots of a zone that a device holds, except the first: a table `root` in the zone's database. They are sealed
/// under the first, so that a copy of the database alone opens nothing.
package final class RootTable {
    private let first: ZoneRoot
    private let putRoot: Statement
    private let allRoots: Statement

    package init(database: Database, first: ZoneRoot) throws {
        try database.migrate("roots", Self.migrations)
        self.first = first
        putRoot = try database.prepare("INSERT OR IGNORE INTO root(rotate, sealed) VALUES(?, ?)")
        allRoots = try database.prepare("SELECT rotate, sealed FROM root ORDER BY rotate")
    }

    private static var migrations: [Migration] {
        [
            Migration(
                "roots", sql: "CREATE TABLE root(rotate BLOB PRIMARY KEY, sealed BLOB NOT NULL) WITHOUT ROWID")
        ]
    }

    package func put(_ root: ZoneRoot) throws { try putRoot.run(root.rotate.bytes, first.keeping(root)) }

    package func all() throws -> [ZoneRoot] {
        try allRoots.all { row in
            guard let rotate = RecordHash(bytes: row.blob(0)),
                let root = first.kept(row.blob(1), as: rotate)
            else { throw StoreError.damaged("a root") }
            return root
        }
    }
}
