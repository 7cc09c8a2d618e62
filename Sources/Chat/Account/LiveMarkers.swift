import NodeCore
import SyncState

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
    /// Conversations whose live registers changed since they were last looked at, and what these have to show: what
    /// they showed before, and what arrived. A read of this device that waits for a stable point is not in it.
    private var suspects: [ExactText: ReadPosition] = [:]

    init(_ database: Database) throws {
        putMarker = try database.prepare("INSERT OR REPLACE INTO live_marker VALUES(?, ?, ?)")
        deleteMarker = try database.prepare("DELETE FROM live_marker WHERE conversation = ? AND lane = ?")
        ofConversation = try database.prepare("SELECT marker FROM live_marker WHERE conversation = ? ORDER BY lane")
        ofLane = try database.prepare("SELECT marker FROM live_marker WHERE lane = ? ORDER BY conversation")
    }

    mutating func put(_ marker: ReadMarker, lane: LaneID) throws {
        try suspect(marker.conversationID, of: marker.position)
        putMarker.bind(1, marker.conversationID)
        putMarker.bind(2, lane.bytes)
        putMarker.bind(3, marker.encoded)
        try putMarker.run()
    }

    mutating func remove(_ marker: ReadMarker, lane: LaneID) throws {
        try suspect(marker.conversationID, of: marker.position)
        deleteMarker.bind(1, marker.conversationID)
        deleteMarker.bind(2, lane.bytes)
        try deleteMarker.run()
    }

    /// Before the rows of a conversation change, and where a register counts without a row of its own.
    mutating func suspect(_ conversation: String, of position: ReadPosition) throws {
        let id = ExactText(conversation)
        let shown = try suspects[id] ?? self.position(of: conversation)
        suspects[id] = shown.merged(with: position)
    }

    /// The conversations whose registers no longer show what they have to, and what that is, in the order of their ids.
    mutating func takeLacking() throws -> [(conversation: String, position: ReadPosition)] {
        defer { suspects = [:] }
        return try suspects.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.compactMap { id, position in
            try self.position(of: id.text).contains(position) ? nil : (id.text, position)
        }
    }

    mutating func forgetSuspects() { suspects = [:] }

    /// What the live registers alone say of a conversation: what a newcomer would compute.
    func position(of conversation: String) throws -> ReadPosition {
        try markers(of: conversation).reduce(.empty) { $0.merged(with: $1.position) }
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
