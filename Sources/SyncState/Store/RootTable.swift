package import Ledger
import NodeCore

/// The roots that a device holds of a zone, but for the first: a table `root` in the zone's database.
package final class RootTable {
    private let putRoot: Statement
    private let allRoots: Statement

    package init(database: Database) throws {
        try database.migrate("roots", Self.migrations)
        putRoot = try database.prepare("INSERT OR IGNORE INTO root(rotate, secret) VALUES(?, ?)")
        allRoots = try database.prepare("SELECT rotate, secret FROM root ORDER BY rotate")
    }

    private static var migrations: [Migration] {
        [
            Migration(
                "roots", sql: "CREATE TABLE root(rotate BLOB PRIMARY KEY, secret BLOB NOT NULL) WITHOUT ROWID")
        ]
    }

    package func put(_ root: ZoneRoot) throws {
        putRoot.bind(1, root.rotate.bytes)
        putRoot.bind(2, root.secret.withUnsafeBytes { Array($0) })
        try putRoot.run()
    }

    package func all() throws -> [ZoneRoot] {
        defer { allRoots.reset() }
        var roots: [ZoneRoot] = []
        while try allRoots.step() {
            let secret = Secret(bytes: allRoots.blob(1))
            guard let rotate = RecordHash(bytes: allRoots.blob(0)), secret.count == Ledger.Limits.rootBytes else {
                throw StoreError.damaged("a root")
            }
            roots.append(ZoneRoot(rotate: rotate, secret: secret))
        }
        return roots
    }
}
