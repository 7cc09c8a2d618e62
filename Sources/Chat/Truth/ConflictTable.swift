package import NodeCore
import SyncState

/// Messages found with different contents. Only a hint where to look: copies can disappear again.
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

    /// The ones after `txid`, ascending.
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

/// A message held with different contents. All devices show the one with the lower canonical hash.
package struct MessageConflict: Sendable, Equatable {
    package let txid: TxID
    /// Number of different contents, including the one shown.
    package let versions: Int
}
