package import NodeCore
package import SyncState

/// That the account is, or was, in a group: what each of its devices needs to take part.
///
/// A register a device, `[group, context, removals, revision, state, joinedAt, title, [* [record, root]]]`. Of
/// several the one with the most `removals` counts, then the highest `revision`, the later state, the higher bytes.
package struct GroupMembership: Sendable {
    package enum State: UInt64, Sendable, CaseIterable {
        case joined = 1
        /// Its node was told that the member was removed. What it had stays.
        case removed = 2
        /// The group was deleted by its owner. What was there stays as a copy.
        case deleted = 3
        /// The user left: nothing of the group is kept but the own results.
        case left = 4
        /// The group was deleted, and the user did not want the copy any more. This stays, so that the group does not
        /// come back.
        case dropped = 5

        /// Nothing of the group is to be kept.
        package var isGone: Bool { self == .left || self == .dropped }
    }

    package let group: ZoneID
    /// What the member's key is derived from: the group's id, or random bytes of who founded it, since the id follows
    /// from the founder's key.
    package let context: Bytes32
    /// How often this person was removed: a removed key never comes back, so the next one is another.
    package let removals: UInt32
    /// One above the highest that the writer saw.
    package var revision: UInt64
    package var state: State
    package var joinedAt: WallTime
    /// As last seen; for lists, while the group itself cannot be read.
    package var title: String
    /// Epochs that the devices begin with, the group's first one in front; further ones they find in the group.
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

    /// Its roots and a device's own, the newest of which is last; nil where there is nothing to tell. Devices that know
    /// different ones so come to one list, instead of writing against each other. Where there is no room for all, the
    /// first and the latest are told: the others follow from them.
    package func roots(joined own: [EpochRoot]) -> [EpochRoot]? {
        func isNew(_ root: EpochRoot) -> Bool { !roots.contains { $0.record == root.record } }
        let all = roots + own.filter(isNew)
        if all.count == roots.count { return nil }
        if all.count <= SyncState.Limits.membershipRoots { return all }
        guard let newest = own.last, isNew(newest) else { return nil }
        return Array(all.prefix(1) + all.dropFirst().suffix(SyncState.Limits.membershipRoots - 1))
    }

    package func supersedes(_ other: GroupMembership) -> Bool {
        // A device that slept through the person's return still speaks of the key before.
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
