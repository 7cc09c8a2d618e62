import NodeCore
import SyncState

/// Reads that are recorded here and wait for a stable point.
struct UnpublishedReads {
    static var migration: Migration {
        Migration(
            "unpublished reads",
            sql: "CREATE TABLE unpublished(conversation TEXT PRIMARY KEY, marker BLOB NOT NULL) WITHOUT ROWID;")
    }

    private let putMarker, deleteMarker, one, every: Statement

    init(_ database: Database) throws {
        putMarker = try database.prepare("INSERT OR REPLACE INTO unpublished VALUES(?, ?)")
        deleteMarker = try database.prepare("DELETE FROM unpublished WHERE conversation = ?")
        one = try database.prepare("SELECT marker FROM unpublished WHERE conversation = ?")
        every = try database.prepare("SELECT marker FROM unpublished ORDER BY conversation")
    }

    func put(_ marker: ReadMarker) throws {
        putMarker.bind(1, marker.conversationID)
        putMarker.bind(2, marker.encoded)
        try putMarker.run()
    }

    func remove(_ conversation: String) throws {
        deleteMarker.bind(1, conversation)
        try deleteMarker.run()
    }

    func marker(of conversation: String) throws -> ReadMarker? {
        one.bind(1, conversation)
        defer { one.reset() }
        return try one.step() ? ReadMarker(decoding: one.blob(0)) : nil
    }

    func all() throws -> [ReadMarker] {
        defer { every.reset() }
        var found: [ReadMarker] = []
        while try every.step() { found.append(try ReadMarker(decoding: every.blob(0))) }
        return found
    }
}
