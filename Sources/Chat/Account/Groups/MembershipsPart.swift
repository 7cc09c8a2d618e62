package import NodeCore
package import SyncState

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
    /// Groups of which something else is said than when that was last asked.
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

    /// Says something new of a membership; its `revision` is set above all that was seen.
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
        try follow(known[group]?.merged(with: content) ?? content, about: group)
    }

    func follow(_ live: GroupMembership?, about group: ZoneID) throws {
        let held = known[group]
        var live = live
        // Nobody whose registers count says that the account was ever in it.
        if live == nil { live = held?.with(.left) }
        guard let live else { return }
        if let held, held.contains(live), live.contains(held) { return }
        known[group] = live
        changed.insert(group)
        let isNew = live.state == .joined && held?.state != .joined
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
        let groups = try context.database.prepare("SELECT id FROM membership ORDER BY id")
        var ids: [ZoneID] = []
        while try groups.step() {
            guard let id = ZoneID(bytes: groups.blob(0)) else { throw StoreError.damaged("the list of groups") }
            ids.append(id)
        }
        groups.reset()
        for id in ids { known[id] = try live(id) }
        changed = Set(ids)
    }

    private func note(_ group: ZoneID) throws {
        let insert = try context.database.prepare("INSERT OR IGNORE INTO membership VALUES(?)")
        insert.bind(1, group.bytes)
        try insert.run()
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

    /// Ascending by group. Rotten entries are left out: the user still has the token.
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

/// States that the account is, or was, in a group: everything its devices need to take part.
///
/// One register per device, `[group, context, removals, revision, state, joinedAt, title, [* [record, root]]]`. Of
/// several the one with the most `removals` counts, then the highest `revision`, the later state, the greater bytes.
package struct GroupMembership: Sendable {
    package enum State: UInt64, Sendable, CaseIterable {
        case joined = 1
        /// The node was told that the member was removed. Its copy is kept.
        case removed = 2
        /// The group was deleted by its owner. A copy is kept.
        case deleted = 3
        /// The user left. The device where that was said keeps nothing of the group except the user's own results; the
        /// others keep their copies.
        case left = 4
        /// The group was deleted, and the user removed the copy of some device. This entry stays, so that the group
        /// does not come back.
        case dropped = 5

        /// The user is done with it, on one device at least.
        package var isGone: Bool { self == .left || self == .dropped }
        /// Its owner deleted it.
        package var isDeleted: Bool { self == .deleted || self == .dropped }
    }

    package let group: ZoneID
    /// Input for the member's key: the group's id, or for the founder random bytes, since the id depends on the
    /// founder's key.
    package let context: Bytes32
    /// How often this person was removed: a removed key is never valid again, so the next one must differ.
    package let removals: UInt32
    /// One above the highest that the writer saw.
    package var revision: UInt64
    package var state: State
    package var joinedAt: WallTime
    /// As last seen; for lists, while the group itself is unreadable.
    package var title: String
    /// Epochs that devices start with, the group's first one in front; they find later ones in the group.
    package var roots: [EpochRoot]

    /// - Precondition: `roots` are at most `SyncState.Limits.membershipRoots`.
    package init(
        group: ZoneID, context: Bytes32, removals: UInt32 = 0, revision: UInt64 = 1, state: State, joinedAt: WallTime,
        title: String, roots: [EpochRoot] = []
    ) {
        precondition(
            roots.count <= SyncState.Limits.membershipRoots, "invariant: the writer chooses which roots to tell")
        self.group = group
        self.context = context
        self.removals = removals
        self.revision = revision
        self.state = state
        self.joinedAt = joinedAt
        self.title = title
        self.roots = roots
    }

    package static func slotName(of group: ZoneID) -> String { "group.\(group.hex)" }

    fileprivate func with(_ state: State) -> GroupMembership {
        var changed = self
        changed.state = state
        return changed
    }

    /// Its roots joined with a device's own, newest last; nil if nothing is new. So devices that know different roots
    /// arrive at one list, instead of overwriting each other. If not all fit, the first and the latest are kept: the
    /// others follow from them.
    package func roots(joined own: [EpochRoot]) -> [EpochRoot]? {
        func isNew(_ root: EpochRoot) -> Bool { !roots.contains { $0.record == root.record } }
        let all = roots + own.filter(isNew)
        if all.count == roots.count { return nil }
        if all.count <= SyncState.Limits.membershipRoots { return all }
        guard let newest = own.last, isNew(newest) else { return nil }
        return Array(all.prefix(1) + all.dropFirst().suffix(SyncState.Limits.membershipRoots - 1))
    }

    package func supersedes(_ other: GroupMembership) -> Bool {
        // A device that slept through the person's return still uses the previous key.
        if removals != other.removals { return removals > other.removals }
        if revision != other.revision { return revision > other.revision }
        if state != other.state { return state.rawValue > other.state.rawValue }
        return other.encoded.lexicographicallyPrecedes(encoded)
    }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 256)
        writer.writeArray(8)
        writer.write(group)
        writer.write(bytes: context.bytes)
        writer.write(UInt64(removals))
        writer.write(revision)
        writer.write(state.rawValue)
        writer.write(joinedAt.milliseconds)
        writer.write(text: title)
        writer.writeArray(roots.count)
        for root in roots {
            writer.writeArray(2)
            writer.write(root.record)
            root.root.withUnsafeBytes { writer.write(bytes: Array($0)) }
        }
        return writer.bytes
    }

    package init(encoded: [UInt8]) throws(CBORError) {
        var reader = CBORReader(encoded)
        guard try reader.readArray(max: 8) == 8 else { throw .unexpectedType(at: 0) }
        group = try reader.read(ZoneID.self)
        guard let context = Bytes32(bytes: try reader.readBytes(max: Bytes32.byteCount)),
            let removals = UInt32(exactly: try reader.readUInt())
        else { throw .wrongSize(at: 0) }
        self.context = context
        self.removals = removals
        revision = try reader.readUInt()
        guard revision <= Limits.membershipRevision, let state = State(rawValue: try reader.readUInt()) else {
            throw .outOfRange(at: 0)
        }
        self.state = state
        joinedAt = WallTime(milliseconds: try reader.readInt())
        title = try reader.readText(max: Limits.membershipTitleBytes)
        roots = []
        for _ in 0..<(try reader.readArray(max: SyncState.Limits.membershipRoots)) {
            guard try reader.readArray(max: 2) == 2 else { throw .unexpectedType(at: reader.position) }
            let record = try reader.read(RecordHash.self)
            let root = Secret(bytes: try reader.readBytes(max: Bytes32.byteCount))
            guard root.count == Bytes32.byteCount else { throw .wrongSize(at: reader.position) }
            roots.append(EpochRoot(record: record, root: root))
        }
        try reader.finish()
    }
}

extension GroupMembership: Joinable {
    package func merged(with other: GroupMembership) -> GroupMembership { other.supersedes(self) ? other : self }
    package func contains(_ other: GroupMembership) -> Bool { !other.supersedes(self) }
}

extension GroupMembership: AccountRecord {
    package static var metaType: MetaType { .groupMembership }
    package static var kind: RecordKind { .register }
    package init(fields: [UInt8], hasBlob: Bool) throws { try self.init(encoded: fields) }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(Self.slotName(of: group).utf8) }
}

extension AccountKeys {
    /// The seed of the key of a membership's member.
    package func memberSeed(_ membership: GroupMembership) -> Secret {
        memberSeed(context: membership.context, removals: membership.removals)
    }
}
