import NodeCore
import SyncState

/// How far conversations are deleted, and whether the listing has been swept as far.
final class DeletedConversations {
    /// Up to which time in milliseconds; nil before it was read.
    private var known: [UInt32: UInt64]?
    /// The messages up to which conversations are deleted.
    var bounds = NamedMessages()
    private let select, update, selectUnswept, setSwept: Statement

    init(_ database: Database) throws {
        select = try database.prepare("SELECT id, deleted FROM conversation WHERE deleted IS NOT NULL")
        update = try database.prepare(
            "UPDATE conversation SET deleted = ?2, swept = iif(?3, ?2, swept) WHERE id = ?1")
        selectUnswept = try database.prepare(
            "SELECT id FROM conversation WHERE deleted > coalesce(swept, -1) ORDER BY id")
        setSwept = try database.prepare("UPDATE conversation SET swept = deleted WHERE deleted IS NOT NULL")
    }

    /// Forgets what is kept in memory.
    func forget() { known = nil }

    /// Up to which time in milliseconds messages of each conversation are deleted. Mostly empty.
    func through() throws -> [UInt32: UInt64] {
        if let known { return known }
        var found: [UInt32: UInt64] = [:]
        try select.forEach(visit: { found[UInt32(truncatingIfNeeded: $0.int(0))] = UInt64(max(0, $0.int(1))) })
        known = found
        return found
    }

    /// Sets how far a conversation is deleted; nil for nothing. If that is further than before, the listing has to be
    /// swept; if not as far, it has to be filled again.
    func set(_ number: UInt32, through time: UInt64?) throws {
        let isLowered = try (through()[number] ?? 0) > (time ?? 0)
        try update.run(Int64(number), time.map { Int64(bitPattern: $0) }, isLowered ? 1 : 0)
        known?[number] = time
    }

    /// Conversations that were deleted further than the listing knows, by number.
    func unswept() throws -> [UInt32] {
        try through().isEmpty ? [] : selectUnswept.all { UInt32(truncatingIfNeeded: $0.int(0)) }
    }

    func noteSwept() throws { try setSwept.run() }
}
