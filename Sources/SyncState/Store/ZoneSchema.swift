import NodeCore

/// The tables of a zone's replication; docs/STORAGE.md describes them.
package enum ZoneSchema {
    package static var migrations: [Migration] {
        [
            Migration(
                "zone",
                sql: """
                    CREATE TABLE setting(name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
                    CREATE TABLE lane(
                        number INTEGER PRIMARY KEY,
                        id BLOB NOT NULL UNIQUE,
                        head INTEGER NOT NULL,
                        target INTEGER NOT NULL,
                        rows INTEGER NOT NULL,
                        fingerprint BLOB NOT NULL,
                        through INTEGER,
                        forked INTEGER NOT NULL,
                        slotted INTEGER NOT NULL);
                    CREATE TABLE chunk(
                        lane INTEGER NOT NULL,
                        chunk INTEGER NOT NULL,
                        rows INTEGER NOT NULL,
                        digest BLOB NOT NULL,
                        PRIMARY KEY(lane, chunk)) WITHOUT ROWID;
                    CREATE TABLE record(
                        id INTEGER PRIMARY KEY,
                        kind INTEGER NOT NULL,
                        blob INTEGER,
                        want INTEGER,
                        rec BLOB NOT NULL);
                    CREATE INDEX wanted ON record(want) WHERE want IS NOT NULL;
                    CREATE TABLE retire(
                        lane INTEGER NOT NULL,
                        record INTEGER NOT NULL,
                        through INTEGER NOT NULL,
                        PRIMARY KEY(lane, record)) WITHOUT ROWID;
                    CREATE TABLE blob(id INTEGER PRIMARY KEY, record INTEGER NOT NULL, data BLOB NOT NULL);
                    CREATE TABLE repair(id INTEGER PRIMARY KEY, at INTEGER NOT NULL, what TEXT NOT NULL);
                    """),
            Migration(
                "sums and arrivals",
                sql: """
                    ALTER TABLE lane ADD COLUMN content BLOB;
                    ALTER TABLE blob ADD COLUMN at INTEGER;
                    ALTER TABLE blob ADD COLUMN giver INTEGER;
                    """),
            Migration(
                "peers",
                sql: "CREATE TABLE peer(lane BLOB PRIMARY KEY, seen INTEGER NOT NULL, level INTEGER) WITHOUT ROWID"),
            Migration(
                "blobs aside",
                sql: """
                    CREATE TABLE aside(
                        blob INTEGER PRIMARY KEY, lane INTEGER NOT NULL, slot BLOB NOT NULL, rec BLOB NOT NULL);
                    CREATE INDEX aside_slot ON aside(lane, slot);
                    """),
            SupersededRows.migration,
            SupersededRows.waitingMigration,
            Migration(
                "arrivals of rows",
                sql: """
                    ALTER TABLE record ADD COLUMN at INTEGER;
                    ALTER TABLE superseded ADD COLUMN at INTEGER;
                    """),
            Migration("no retirements", sql: "DROP TABLE retire; ALTER TABLE lane DROP COLUMN through;"),
            // `status` reads the sizes of the latest blobs from this index, not from their bytes, which fill a page
            // each.
            Migration("sizes of blobs", sql: "CREATE INDEX blob_at ON blob(at, record, length(data))"),
        ]
    }
}

/// The primary key of a row: lane number, seq, and an index among the records at that seq.
///
/// 12, 44 and 7 bits of a positive 64-bit integer: rows of one lane are stored together in order of seq, so that a page
/// is one range scan and an append goes to the end of its lane, without a further index.
package struct RowID: Hashable, Comparable, Sendable {
    package let value: Int64

    private static let forkBits: Int64 = 7
    private static let seqBits: Int64 = 44

    package init(value: Int64) { self.value = value }

    init(lane: Int, seq: UInt64, fork: Int = 0) {
        precondition(lane < Limits.lanes && seq <= Limits.highestSeq && fork < Limits.forksPerSeq, "invariant: bounded")
        value = Int64(lane) << (Self.seqBits + Self.forkBits) | Int64(seq) << Self.forkBits | Int64(fork)
    }

    var lane: Int { Int(value >> (Self.seqBits + Self.forkBits)) }
    package var seq: UInt64 { UInt64(value >> Self.forkBits) & Limits.highestSeq }
    var fork: Int { Int(value & (1 << Self.forkBits - 1)) }

    package static func < (one: RowID, other: RowID) -> Bool { one.value < other.value }

    /// The first and last id that rows of these seqs can have.
    static func bounds(lane: Int, from low: UInt64, through high: UInt64) -> (low: Int64, high: Int64) {
        (
            RowID(lane: lane, seq: min(low, Limits.highestSeq)).value,
            RowID(lane: lane, seq: min(high, Limits.highestSeq), fork: Limits.forksPerSeq - 1).value
        )
    }

    /// The row at which a scan stands. Throws if it is not behind the last one: SQLite does not check that. A page of
    /// which the power left only a part, while a log was moved that was lost then, lists rows that it does not have.
    init(_ query: Statement, after last: RowID) throws(DatabaseError) {
        value = query.int(0)
        guard self > last else { throw DatabaseError.outOfOrder }
    }
}
