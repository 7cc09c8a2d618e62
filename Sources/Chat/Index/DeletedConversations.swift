import SyncState

/// How far conversations are deleted, and whether the listing has been swept as far.
final class DeletedConversations {
    /// Up to which time in milliseconds; nil before it was read.
    private var known: [UInt32: UInt64]?
    private let select, update, selectUnswept, setSwept: Statement

    init(_ database: Database) throws {
        select = try database.prepare("SELECT id, deleted FROM conversation WHERE deleted IS NOT NULL")
        update = try database.prepare("UPDATE conversation SET deleted = ?2 WHERE id = ?1")
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
        while try select.step() {
            found[UInt32(truncatingIfNeeded: select.int(0))] = UInt64(max(0, select.int(1)))
        }
        known = found
        return found
    }

    /// Raises how far a conversation is deleted. The listing has to be swept then.
    ///
    /// - Returns: false if it was deleted as far already.
    func raise(_ number: UInt32, through time: UInt64) throws -> Bool {
        guard try through()[number].map({ $0 < time }) ?? true else { return false }
        update.bind(1, Int64(number))
        update.bind(2, Int64(bitPattern: time))
        try update.run()
        known?[number] = time
        return true
    }

    /// Conversations that were deleted further than the listing knows, by number.
    func unswept() throws -> [UInt32] {
        guard try !through().isEmpty else { return [] }
        var found: [UInt32] = []
        while try selectUnswept.step() { found.append(UInt32(truncatingIfNeeded: selectUnswept.int(0))) }
        return found
    }

    func noteSwept() throws { try setSwept.run() }
}
