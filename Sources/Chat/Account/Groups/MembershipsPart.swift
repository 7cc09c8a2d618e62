package import NodeCore
import SyncState

/// The account's group memberships: if one device joins, all are in. Also joins that wait for a member.
package final class MembershipsPart: JoinedPart {
    private static var migrations: [Migration] {
        [
            Migration("memberships", sql: "CREATE TABLE membership(id BLOB PRIMARY KEY) WITHOUT ROWID"),
            Migration(
                "pending joins",
                sql: "CREATE TABLE pending_join(id BLOB PRIMARY KEY, sealed BLOB NOT NULL) WITHOUT ROWID"),
        ]
    }

    let context: AccountContext
    var suspects: Set<ZoneID> = []
    /// The join of all devices' memberships, in groups that the account is or was in.
    private var known: [ZoneID: GroupMembership] = [:]
    /// Groups whose membership changed since `takeChanged` was last called.
    private var changed: Set<ZoneID> = []

    init(_ context: AccountContext) throws {
        self.context = context
        try context.database.migrate("memberships", Self.migrations)
    }

    /// The join of all devices' memberships, ascending by group, including groups that were left.
    package var all: [GroupMembership] { known.values.sorted { $0.group < $1.group } }

    /// The memberships that changed since this was last asked, ascending by group: at first, and after a rollback, all.
    package func takeChanged() -> [GroupMembership] {
        defer { changed = [] }
        return changed.sorted().compactMap { known[$0] }
    }

    package func membership(of group: ZoneID) -> GroupMembership? { known[group] }

    /// Whether no device of the account says any more that it is or was in a group: those that did were removed.
    package func isUndone(_ group: ZoneID) throws -> Bool { try known[group] != nil && live(group) == nil }

    /// Writes something new about a membership; its `revision` is set above all that were seen.
    package func put(_ membership: GroupMembership) throws {
        var membership = membership
        let (next, isTooMuch) = (known[membership.group]?.revision ?? 0).addingReportingOverflow(1)
        guard !isTooMuch, next <= Limits.membershipRevision else { throw RevisionError.tooManyRevisions }
        membership.revision = next
        try write(membership)
    }

    // MARK: Registers

    func held(_ content: GroupMembership, in lane: LaneID) throws {
        let group = content.group
        if known[group] == nil { try note(group) }
        // Not joined with what is known: it may be of a register that does not count any more.
        try follow(try live(group) ?? content, about: group)
    }

    /// Makes this device repeat what no register says any more.
    func rowsLost(in lane: LaneID) throws {
        guard lane == context.lane else { return }
        for held in all where try !(live(held.group)?.contains(held) ?? false) { try write(held) }
    }

    func isTaken(_ content: GroupMembership, in lane: LaneID) throws -> Bool { known[content.group] != nil }

    func follow(_ live: GroupMembership?, about group: ZoneID) throws {
        let held = known[group]
        var live = live
        // No register that counts mentions the group any more.
        if live == nil { live = held?.with(.left) }
        guard let live else { return }
        if let held, held.contains(live), live.contains(held) { return }
        known[group] = live
        changed.insert(group)
        let isNew = live.state == .joined && held?.state != .joined
        context.changes.note(isNew ? .groupJoined : .group, group: group)
    }

    func subject(of content: GroupMembership) -> ZoneID { content.group }

    func live(_ subject: ZoneID) throws -> GroupMembership? {
        try joined(slotName: GroupMembership.slotName(of: subject))
    }

    func reload() throws {
        known = [:]
        suspects = []
        let ids = try context.database.prepare("SELECT id FROM membership ORDER BY id").all { row in
            guard let id = ZoneID(bytes: row.blob(0)) else { throw StoreError.damaged("the list of groups") }
            return id
        }
        for id in ids { known[id] = try live(id) }
        changed = Set(ids)
    }

    private func note(_ group: ZoneID) throws {
        try context.database.prepare("INSERT OR IGNORE INTO membership VALUES(?)").run(group.bytes)
    }

    // MARK: Joins that wait

    // Pending joins belong to this device only, and survive restarts.

    /// Keeps a join from the next commit on, replacing an earlier one for that group.
    ///
    /// - Parameter pending: the data for the join, including its token.
    package func keep(pending: [UInt8], for group: ZoneID) throws {
        let sealed = XChaChaPoly.seal(
            pending, associatedData: group.bytes, key: context.keys.joinKey, random: &context.random)
        try context.store.begin()
        try context.database.prepare("INSERT OR REPLACE INTO pending_join VALUES(?, ?)").run(group.bytes, sealed)
    }

    package func forgetPending(_ group: ZoneID) throws {
        try context.store.begin()
        try context.database.prepare("DELETE FROM pending_join WHERE id = ?").run(group.bytes)
    }

    /// Ascending by group. Rotten entries are left out: the user still has the token.
    package func pendingJoins() throws -> [(group: ZoneID, content: [UInt8])] {
        let query = try context.database.prepare("SELECT id, sealed FROM pending_join ORDER BY id")
        let key = context.keys.joinKey
        return try query.all { row in
            guard let group = ZoneID(bytes: row.blob(0)),
                let content = try? XChaChaPoly.open(row.blob(1), associatedData: group.bytes, key: key)
            else { return nil }
            return (group, content)
        }
    }
}
