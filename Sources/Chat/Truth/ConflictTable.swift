package import NodeCore
import SyncState

/// Messages found with different contents. Only a hint where to look: copies can disappear again.
final class ConflictTable {
    static let schema = "CREATE TABLE message_conflict(txid BLOB PRIMARY KEY) WITHOUT ROWID"

    private let insert, select: Statement

    init(_ database: Database) throws {
        insert = try database.prepare("INSERT OR IGNORE INTO message_conflict(txid) VALUES(?)")
        select = try database.prepare("SELECT txid FROM message_conflict ORDER BY txid LIMIT ?")
    }

    func note(_ txid: TxID) throws { try insert.run(txid.bytes) }

    /// The first ones, ascending.
    func txids(limit: Int) throws -> [TxID] { try select.all(limit) { TxID(bytes: $0.blob(0)) } }
}

/// A message held with different contents. All devices show the one with the lower canonical hash.
package struct MessageConflict: Sendable, Equatable {
    package let txid: TxID
    /// Number of different contents, including the one shown.
    package let versions: Int
}
