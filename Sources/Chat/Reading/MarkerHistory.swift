import NodeCore
import SyncState

/// The read markers that this device saw, as far as they tell when a message was first read.
///
/// A marker is kept unless another kept one is as early and covers as much. Each conversation keeps the latest
/// `Limits.keptMarkers`: messages covered only by older ones are then considered read when the oldest kept one was
/// made.
struct MarkerHistory {
    static var migration: Migration {
        Migration(
            "marker history",
            sql: """
                CREATE TABLE marker_history(
                    conversation INTEGER NOT NULL,
                    read_at INTEGER NOT NULL,
                    lane BLOB NOT NULL,
                    position BLOB NOT NULL,
                    PRIMARY KEY(conversation, read_at, lane)) WITHOUT ROWID;
                """)
    }

    private struct Entry {
        let readAt: WallTime
        let lane: LaneID
        let position: ReadPosition
    }

    private let put, remove, ofConversation: Statement

    init(database: Database) throws {
        try database.migrate("marker history", [Self.migration])
        put = try database.prepare("INSERT OR REPLACE INTO marker_history VALUES(?, ?, ?, ?)")
        remove = try database.prepare(
            "DELETE FROM marker_history WHERE conversation = ? AND read_at = ? AND lane = ?")
        ofConversation = try database.prepare(
            "SELECT read_at, lane, position FROM marker_history WHERE conversation = ? ORDER BY read_at, lane")
    }

    /// Adds how far a mark reaches, unless that tells nothing new.
    func add(_ reach: ReadPosition, at readAt: WallTime, from lane: LaneID, conversation: UInt32) throws {
        guard reach != .empty else { return }
        let entries = try entries(of: conversation)
        var position = reach
        for entry in entries where entry.readAt <= readAt {
            if entry.position.contains(position) { return }
            if entry.readAt == readAt, entry.lane == lane { position = position.merged(with: entry.position) }
        }
        // Drops later marks that this one covers.
        for entry in entries where entry.readAt > readAt && position.contains(entry.position) {
            try drop(entry.readAt, entry.lane, conversation)
        }
        if entries.count >= Limits.keptMarkers, let oldest = entries.first {
            try drop(oldest.readAt, oldest.lane, conversation)
        }
        var writer = CBORWriter()
        position.write(to: &writer)
        try put.run(Int64(conversation), readAt.milliseconds, lane.bytes, writer.bytes)
    }

    /// Removes a mark of this device that others never saw and that another one replaces.
    func forget(_ readAt: WallTime, from lane: LaneID, conversation: UInt32) throws {
        try drop(readAt, lane, conversation)
    }

    /// Removes markers that do not count any more: their scales are above what was read.
    func forget(beyond position: ReadPosition, conversation: UInt32) throws {
        for entry in try entries(of: conversation) {
            var scales = entry.position
            scales.named = position.named
            if !position.contains(scales) { try drop(entry.readAt, entry.lane, conversation) }
        }
    }

    /// When and on which device a message was first covered, by that device's clock.
    func first(
        covering message: ChatMessage, conversation: UInt32
    ) throws -> (readAt: WallTime, lane: LaneID)? {
        try entries(of: conversation).first { $0.position.covers(message) }.map { ($0.readAt, $0.lane) }
    }

    private func drop(_ readAt: WallTime, _ lane: LaneID, _ conversation: UInt32) throws {
        try remove.run(Int64(conversation), readAt.milliseconds, lane.bytes)
    }

    /// Earliest first.
    private func entries(of conversation: UInt32) throws -> [Entry] {
        try ofConversation.all(Int64(conversation)) { row in
            var reader = CBORReader(row.blob(2))
            guard let lane = LaneID(bytes: row.blob(1)),
                let position = try? ReadPosition(from: &reader, maxNamed: .max)
            else { return nil }
            return Entry(readAt: WallTime(milliseconds: row.int(0)), lane: lane, position: position)
        }
    }
}
