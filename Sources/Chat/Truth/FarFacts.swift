import NodeCore
import SyncState

/// Facts that do not count yet, since their revision is too far above the one below it. They count as soon as others
/// stand between, so that the order of arrival does not matter.
final class FarFacts {
    static var migration: Migration {
        Migration(
            "far facts",
            sql: """
                CREATE TABLE far_fact(
                    txid BLOB NOT NULL, revision INTEGER NOT NULL, fact BLOB NOT NULL,
                    PRIMARY KEY(txid, revision, fact)) WITHOUT ROWID
                """)
    }

    private let insert, one, lowest, delete, deleteAll: Statement

    init(_ database: Database) throws {
        insert = try database.prepare("INSERT OR IGNORE INTO far_fact(txid, revision, fact) VALUES(?, ?, ?)")
        one = try database.prepare("SELECT 1 FROM far_fact WHERE txid = ? AND revision = ? AND fact = ?")
        lowest = try database.prepare(
            "SELECT fact FROM far_fact WHERE txid = ? AND revision <= ? ORDER BY revision, fact LIMIT 1")
        delete = try database.prepare("DELETE FROM far_fact WHERE txid = ? AND revision = ? AND fact = ?")
        deleteAll = try database.prepare("DELETE FROM far_fact WHERE txid = ?")
    }

    func keep(_ fact: ChainFact) throws { try run(insert, fact) }

    func holds(_ fact: ChainFact) throws -> Bool {
        try one.hasRow(fact.txid.bytes, Int64(fact.revision), Self.encoded(fact))
    }

    func forget(_ txid: TxID) throws { try deleteAll.run(txid.bytes) }

    /// Takes the lowest of a message that is within reach of a revision; nil if there is none.
    func take(of txid: TxID, within revision: UInt64) throws -> ChainFact? {
        guard let encoded = try lowest.first(txid.bytes, Int64(revision), read: { $0.blob(0) }) else { return nil }
        var reader = CBORReader(encoded)
        let fact = try ChainFact(from: &reader)
        try run(delete, fact)
        return fact
    }

    private func run(_ statement: Statement, _ fact: ChainFact) throws {
        try statement.run(fact.txid.bytes, Int64(fact.revision), Self.encoded(fact))
    }

    private static func encoded(_ fact: ChainFact) -> [UInt8] {
        var writer = CBORWriter()
        fact.write(to: &writer)
        return writer.bytes
    }
}
