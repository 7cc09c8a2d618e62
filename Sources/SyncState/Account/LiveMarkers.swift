import NodeCore

/// The read markers whose rows are held: one a conversation and lane.
///
/// What a newcomer would compute from the registers alone. Where the effective position is above their maximum, this
/// node raises its own register (docs/PROTOCOL.md, §4.6).
struct LiveMarkers {
    static var migration: Migration {
        Migration(
            "live markers",
            sql: """
                CREATE TABLE live_marker(
                    conversation TEXT NOT NULL,
                    lane BLOB NOT NULL,
                    marker BLOB NOT NULL,
                    PRIMARY KEY(conversation, lane)) WITHOUT ROWID;
                """)
    }

    private let putMarker, deleteMarker, ofConversation, ofLane: Statement
    /// Conversations whose live registers changed since they were last compared with the effective position.
    private var suspects: Set<String> = []

    init(_ database: Database) throws {
        putMarker = try database.prepare("INSERT OR REPLACE INTO live_marker VALUES(?, ?, ?)")
        deleteMarker = try database.prepare("DELETE FROM live_marker WHERE conversation = ? AND lane = ?")
        ofConversation = try database.prepare("SELECT marker FROM live_marker WHERE conversation = ? ORDER BY lane")
        ofLane = try database.prepare("SELECT marker FROM live_marker WHERE lane = ? ORDER BY conversation")
    }

    mutating func put(_ marker: ReadMarker, lane: LaneID) throws {
        putMarker.bind(1, marker.conversationID)
        putMarker.bind(2, lane.bytes)
        putMarker.bind(3, marker.encoded)
        try putMarker.run()
        suspects.insert(marker.conversationID)
    }

    mutating func remove(_ marker: ReadMarker, lane: LaneID) throws {
        deleteMarker.bind(1, marker.conversationID)
        deleteMarker.bind(2, lane.bytes)
        try deleteMarker.run()
        suspects.insert(marker.conversationID)
    }

    /// A register counted without a row of its own.
    mutating func suspect(_ conversation: String) { suspects.insert(conversation) }

    mutating func takeSuspects() -> [String] {
        defer { suspects = [] }
        return suspects.sorted()
    }

    func markers(of conversation: String) throws -> [ReadMarker] {
        ofConversation.bind(1, conversation)
        return try markers(ofConversation)
    }

    func markers(of lane: LaneID) throws -> [ReadMarker] {
        ofLane.bind(1, lane.bytes)
        return try markers(ofLane)
    }

    private func markers(_ query: Statement) throws -> [ReadMarker] {
        defer { query.reset() }
        var found: [ReadMarker] = []
        while try query.step() { found.append(try ReadMarker(decoding: query.blob(0))) }
        return found
    }
}
