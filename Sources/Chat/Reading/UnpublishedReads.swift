import NodeCore
import SyncState

/// Reads that were said here and not published: some wait for a stable point, and others are covered by what other
/// devices say, as long as that counts.
struct UnpublishedReads {
    static var migration: Migration {
        Migration(
            "unpublished reads",
            sql: """
                CREATE TABLE unpublished(
                    conversation TEXT PRIMARY KEY, marker BLOB NOT NULL, due INTEGER NOT NULL) WITHOUT ROWID;
                """)
    }

    private let putMarker, deleteMarker, one, dueOnes, every: Statement

    init(_ database: Database) throws {
        putMarker = try database.prepare("INSERT OR REPLACE INTO unpublished VALUES(?, ?, ?)")
        deleteMarker = try database.prepare("DELETE FROM unpublished WHERE conversation = ?")
        one = try database.prepare("SELECT marker, due FROM unpublished WHERE conversation = ?")
        dueOnes = try database.prepare("SELECT marker FROM unpublished WHERE due = 1 ORDER BY conversation")
        every = try database.prepare("SELECT marker FROM unpublished ORDER BY conversation")
    }

    /// - Parameter isDue: it waits for a stable point.
    func put(_ marker: ReadMarker, isDue: Bool) throws {
        try putMarker.run(marker.conversationID, marker.encoded, isDue ? 1 : 0)
    }

    func remove(_ conversation: String) throws { try deleteMarker.run(conversation) }

    func find(_ conversation: String) throws -> (marker: ReadMarker, isDue: Bool)? {
        try one.first(conversation) { (try ReadMarker(encoded: $0.blob(0)), $0.int(1) != 0) }
    }

    func due() throws -> [ReadMarker] { try markers(dueOnes) }

    func all() throws -> [ReadMarker] { try markers(every) }

    private func markers(_ query: Statement) throws -> [ReadMarker] {
        try query.all { try ReadMarker(encoded: $0.blob(0)) }
    }
}
