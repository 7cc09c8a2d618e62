import NodeCore
import SyncState

/// Held segments whose payload version is unknown to this program: they are kept and served, and read by a later
/// version. By arrival, in the database, so that the count outlives the process.
package final class NewerSegments {
    private let insert: Statement
    private let delete: Statement
    private let selectUpTo: Statement
    private let selectVersions: Statement

    init(database: Database) throws {
        try database.migrate(
            "newer segments",
            [
                Migration(
                    "segments of newer versions",
                    sql: "CREATE TABLE newer_segment(arrival INTEGER PRIMARY KEY, version INTEGER NOT NULL)")
            ])
        insert = try database.prepare("INSERT OR REPLACE INTO newer_segment(arrival, version) VALUES(?, ?)")
        delete = try database.prepare("DELETE FROM newer_segment WHERE arrival = ?")
        selectUpTo = try database.prepare("SELECT arrival FROM newer_segment WHERE version <= ? ORDER BY arrival")
        selectVersions = try database.prepare(
            "SELECT version, count(*) FROM newer_segment GROUP BY version ORDER BY version")
    }

    func note(_ arrival: UInt64, version: UInt64) throws {
        try insert.run(Int64(bitPattern: arrival), Int64(clamping: version))
    }

    func forget(_ arrival: UInt64) throws { try delete.run(Int64(bitPattern: arrival)) }

    /// The segments that can be read now.
    func readable(upTo version: UInt64) throws -> [UInt64] {
        try selectUpTo.all(Int64(clamping: version)) { UInt64(bitPattern: $0.int(0)) }
    }

    /// Number of segments of each version, ascending.
    package func counts() throws -> [NewerSegmentCount] {
        try selectVersions.all { row in
            NewerSegmentCount(
                version: UInt64(bitPattern: row.int(0)), segments: Int(row.int(1)))
        }
    }
}

/// The number of held segments with a payload version that this program cannot read.
package struct NewerSegmentCount: Sendable, Hashable {
    package let version: UInt64
    package let segments: Int
}
