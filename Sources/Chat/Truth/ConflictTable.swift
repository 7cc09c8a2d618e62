package import NodeCore
import SyncState

/// Messages of which copies with different contents were met. Only a note where to look: copies can go again.
final class ConflictTable {
    static let schema = "CREATE TABLE message_conflict(txid BLOB PRIMARY KEY) WITHOUT ROWID"

    private let insert, select: Statement

    init(_ database: Database) throws {
        insert = try database.prepare("INSERT OR IGNORE INTO message_conflict(txid) VALUES(?)")
        select = try database.prepare("SELECT txid FROM message_conflict WHERE txid > ? ORDER BY txid LIMIT ?")
    }

    func note(_ txid: TxID) throws {
        insert.bind(1, txid.bytes)
        try insert.run()
    }

    /// Ascending, those behind `txid`.
    func txids(after txid: TxID?, limit: Int) throws -> [TxID] {
        select.bind(1, txid?.bytes ?? [])
        select.bind(2, Int64(limit))
        defer { select.reset() }
        var found: [TxID] = []
        while try select.step() {
            if let txid = TxID(bytes: select.blob(0)) { found.append(txid) }
        }
        return found
    }
}

/// A message of which different contents are held. All devices show the one whose canonical hash is lower.
package struct MessageConflict: Sendable, Equatable {
    package let txid: TxID
    /// How many different contents, the one that is shown among them.
    package let versions: Int
}
