import NodeDriver
import ProcessHarness
import SyncState

/// Undoes the latest steps of the schemas in a home (docs/STORAGE.md, section 3.1), leaving a home as an earlier
/// version of the program wrote it. What the steps dropped is lost; nothing reads it.
enum OlderSchema {
    /// Each component's latest step comes first.
    private static let steps: [(component: String, number: Int, undo: String)] = [
        ("zone", 9, "DROP INDEX blob_at"),
        (
            "zone", 8,
            """
            CREATE TABLE retire(
                lane INTEGER NOT NULL, record INTEGER NOT NULL, through INTEGER NOT NULL,
                PRIMARY KEY(lane, record)) WITHOUT ROWID;
            ALTER TABLE lane ADD COLUMN through INTEGER
            """
        ),
        ("zone", 7, "ALTER TABLE record DROP COLUMN at; ALTER TABLE superseded DROP COLUMN at"),
        ("ledger", 3, "ALTER TABLE ledger DROP COLUMN sum"),
        ("ledger", 2, "ALTER TABLE ledger DROP COLUMN at"),
        ("index", 3, "DROP TABLE packed_tree"),
        ("index", 2, "ALTER TABLE packed_leaf DROP COLUMN sum"),
        ("chat", 7, "DROP TABLE given"),
        ("chat", 6, "DROP TABLE far_fact"),
        ("chat", 5, "ALTER TABLE queue ADD COLUMN prefix INTEGER NOT NULL DEFAULT 0"),
        ("devices", 5, "ALTER TABLE device ADD COLUMN holds_up_to INTEGER"),
        (
            "devices", 4,
            """
            CREATE TABLE sighting(
                id INTEGER PRIMARY KEY, day INTEGER NOT NULL, lane BLOB NOT NULL, UNIQUE(day, lane));
            CREATE INDEX sighting_lane ON sighting(lane)
            """
        ),
        // This step empties derived data, so there is nothing to put back.
        ("scores", 2, ""),
    ]

    /// - Parameter node: a node that is not running.
    /// - Returns: the number of steps that were undone, in all its stores.
    @discardableResult
    static func restore(in node: DrivenNode) throws -> Int {
        var count = 0
        try withStores(of: node) { database in
            for step in steps {
                let name = "migration WHERE component = '\(step.component)' AND number = \(step.number)"
                try database.execute("BEGIN")
                try database.execute("DELETE FROM \(name)")
                // An account has no scores, a group no chat.
                if database.changes > 0 {
                    try database.execute(step.undo)
                    count += 1
                }
                try database.execute("COMMIT")
            }
        }
        return count
    }

    /// The number of steps in the stores of a node that is not running.
    static func steps(in node: DrivenNode) throws -> Int {
        var count = 0
        try withStores(of: node) { database in
            let all = try database.prepare("SELECT count(*) FROM migration")
            if try all.step() { count += Int(all.int(0)) }
        }
        return count
    }

    private static func withStores(of node: DrivenNode, _ body: (Database) throws -> Void) throws {
        for name in FileTree.names(in: node.home + "/zones") where name.hasSuffix(".db") {
            try body(Database(path: node.home + "/zones/" + name))
        }
    }
}
