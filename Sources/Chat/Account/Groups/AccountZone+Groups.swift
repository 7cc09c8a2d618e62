package import NodeCore
import SyncState

/// The groups that the account is in: one joins, and all its devices are in.
extension AccountZone {
    /// What all devices say together, ascending by group; those that were left too.
    package var memberships: [GroupMembership] { knownMemberships.values.sorted { $0.group < $1.group } }

    package func membership(of group: ZoneID) -> GroupMembership? { knownMemberships[group] }

    /// Says something new of a membership; `revision` is set above all that was seen.
    package func put(_ membership: GroupMembership) throws {
        var membership = membership
        let (next, isTooMuch) = (knownMemberships[membership.group]?.revision ?? 0).addingReportingOverflow(1)
        guard !isTooMuch, next <= Limits.membershipRevision else { throw RevisionError.tooManyRevisions }
        membership.revision = next
        try write(membership)
    }

    /// A register arrived: it counts, whether or not its row is kept.
    func join(_ membership: GroupMembership) throws {
        suspectMemberships.insert(membership.group)
        store.mustSettle = true
        let known = knownMemberships[membership.group]
        if known == nil { try noteMembership(of: membership.group) }
        if let known, !membership.supersedes(known) { return }
        knownMemberships[membership.group] = membership
        membershipsRevision &+= 1
        let isNew = membership.state == .joined && known?.state != .joined
        changes.note(isNew ? .groupJoined(membership.group) : .group(membership.group))
    }

    /// Raises this device's registers where the live ones show less than the effective value.
    func raiseMemberships() throws {
        defer { suspectMemberships = [] }
        for group in suspectMemberships.sorted() {
            guard let effective = knownMemberships[group] else { continue }
            if try liveMembership(of: group)?.encoded == effective.encoded { continue }
            try write(effective)
        }
    }

    /// Writes the registers of a lane that this device leaves anew.
    func republishMemberships(from old: LaneID) throws {
        for record in try store.liveRegisters(of: old) {
            guard let membership = try? open(record) as? GroupMembership,
                let effective = knownMemberships[membership.group]
            else { continue }
            try write(effective)
        }
    }

    /// What is durable, after the start and after a roll-back.
    func loadMemberships() throws {
        knownMemberships = [:]
        suspectMemberships = []
        membershipsRevision &+= 1
        let groups = try database.prepare("SELECT id FROM membership ORDER BY id")
        var ids: [ZoneID] = []
        while try groups.step() {
            guard let id = ZoneID(bytes: groups.blob(0)) else { throw StoreError.damaged("the list of groups") }
            ids.append(id)
        }
        groups.reset()
        for id in ids { knownMemberships[id] = try liveMembership(of: id) }
    }

    static var membershipMigration: Migration {
        Migration("memberships", sql: "CREATE TABLE membership(id BLOB PRIMARY KEY) WITHOUT ROWID")
    }

    private func noteMembership(of group: ZoneID) throws {
        let insert = try database.prepare("INSERT OR IGNORE INTO membership VALUES(?)")
        insert.bind(1, group.bytes)
        try insert.run()
    }

    private func liveMembership(of group: ZoneID) throws -> GroupMembership? {
        try store.liveRegisters(slotName: GroupMembership.slotName(of: group)).reduce(nil) { best, record in
            guard let membership = try? open(record) as? GroupMembership else { return best }
            if let best, !membership.supersedes(best) { return best }
            return membership
        }
    }

    private func write(_ membership: GroupMembership) throws {
        try store.write(
            RecordMeta(type: .groupMembership, fields: membership.encoded),
            slotName: GroupMembership.slotName(of: membership.group), kind: .register)
    }
}
