package import NodeCore
import SyncState

/// The groups that the account is in: one device joins, and all are in. And joins that wait for a member.
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
    /// What all devices say together, of groups that the account is in or was.
    private var known: [ZoneID: GroupMembership] = [:]
    /// Changes whenever they do.
    package private(set) var revision: UInt64 = 0

    init(_ context: AccountContext) throws {
        self.context = context
        try context.database.migrate("memberships", Self.migrations)
    }

    /// What all devices say together, ascending by group; those that were left too.
    package var all: [GroupMembership] { known.values.sorted { $0.group < $1.group } }

    package func membership(of group: ZoneID) -> GroupMembership? { known[group] }

    /// Says something new of a membership; `revision` is set above all that was seen.
    package func put(_ membership: GroupMembership) throws {
        var membership = membership
        let (next, isTooMuch) = (known[membership.group]?.revision ?? 0).addingReportingOverflow(1)
        guard !isTooMuch, next <= Limits.membershipRevision else { throw RevisionError.tooManyRevisions }
        membership.revision = next
        try write(membership)
    }

    // MARK: Registers

    func merge(_ content: GroupMembership, from lane: LaneID) throws {
        let group = content.group
        suspect(group)
        let held = known[group]
        if held == nil { try note(group) }
        if let held, !content.supersedes(held) { return }
        known[group] = content
        revision &+= 1
        let isNew = content.state == .joined && held?.state != .joined
        context.changes.note(isNew ? .groupJoined(group) : .group(group))
    }

    func subject(of content: GroupMembership) -> ZoneID { content.group }
    func effective(_ subject: ZoneID) throws -> GroupMembership? { known[subject] }

    func live(_ subject: ZoneID) throws -> GroupMembership? {
        try joined(slotName: GroupMembership.slotName(of: subject))
    }

    func reload() throws {
        known = [:]
        suspects = []
        revision &+= 1
        let groups = try context.database.prepare("SELECT id FROM membership ORDER BY id")
        var ids: [ZoneID] = []
        while try groups.step() {
            guard let id = ZoneID(bytes: groups.blob(0)) else { throw StoreError.damaged("the list of groups") }
            ids.append(id)
        }
        groups.reset()
        for id in ids { known[id] = try live(id) }
    }

    private func note(_ group: ZoneID) throws {
        let insert = try context.database.prepare("INSERT OR IGNORE INTO membership VALUES(?)")
        insert.bind(1, group.bytes)
        try insert.run()
    }

    // MARK: Joins that wait

    // They are this device's own affair, and survive restarts.

    /// Keeps a join from the next commit on, in place of an earlier one of that group.
    ///
    /// - Parameter pending: what the join needs, its token among it.
    package func keep(pending: [UInt8], for group: ZoneID) throws {
        let sealed = XChaChaPoly.seal(
            pending, associatedData: group.bytes, key: context.keys.joinKey, random: &context.random)
        try context.store.begin()
        let statement = try context.database.prepare("INSERT OR REPLACE INTO pending_join VALUES(?, ?)")
        statement.bind(1, group.bytes)
        statement.bind(2, sealed)
        try statement.run()
    }

    package func forgetPending(_ group: ZoneID) throws {
        try context.store.begin()
        let statement = try context.database.prepare("DELETE FROM pending_join WHERE id = ?")
        statement.bind(1, group.bytes)
        try statement.run()
    }

    /// Ascending by group. What rotted is left out: the user has the token.
    package func pendingJoins() throws -> [(group: ZoneID, content: [UInt8])] {
        let query = try context.database.prepare("SELECT id, sealed FROM pending_join ORDER BY id")
        let key = context.keys.joinKey
        var found: [(ZoneID, [UInt8])] = []
        while try query.step() {
            guard let group = ZoneID(bytes: query.blob(0)),
                let content = try? XChaChaPoly.open(query.blob(1), associatedData: group.bytes, key: key)
            else { continue }
            found.append((group, content))
        }
        return found
    }
}
