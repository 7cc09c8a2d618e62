package import Ledger
package import NodeCore
import SyncState

/// States that the account is, or was, in a group: everything its devices need to take part.
///
/// One register per device, `[group's genesis, root, person, first lane, [* [person, first lane]], revision, state,
/// joinedAt, title]`. Of several the one with the most former members counts, then the highest `revision`, the later
/// state, the greater bytes.
package struct GroupMembership: Sendable {
    package enum State: UInt64, Sendable, CaseIterable {
        case joined = 1
        /// The node was told that the member was removed. Its copy is kept.
        case removed = 2
        /// The group was closed by its owner. A copy is kept.
        case deleted = 3
        /// The user left. The device where that was said keeps nothing of the group except the user's own results; the
        /// others keep their copies.
        case left = 4
        /// The group was closed, and the user removed the copy of some device. This entry stays, so that the group
        /// does not come back.
        case dropped = 5

        /// The user is done with it, on one device at least.
        package var isGone: Bool { self == .left || self == .dropped }
        /// Its owner closed it.
        package var isDeleted: Bool { self == .deleted || self == .dropped }
    }

    /// The member that the account is, or was, in the group.
    package struct Member: Hashable, Sendable {
        package let person: PersonID
        /// The lane with which that person first came.
        package let firstLane: LaneID

        package init(person: PersonID, firstLane: LaneID) {
            (self.person, self.firstLane) = (person, firstLane)
        }

        package var id: MemberID { MemberID(person: person, firstLane: firstLane) }
    }

    /// The first record of the group's ledger.
    package let genesis: LedgerRecord
    /// 32 bytes: the group's first root.
    package let root: Secret
    package let member: Member
    /// The members that the account was in the group before, latest first, at most `Limits.formerMembers`.
    package let former: [Member]
    /// How often the account returned to the group.
    package let returns: UInt64
    /// One above the highest that the writer saw.
    package var revision: UInt64
    package var state: State
    package var joinedAt: WallTime
    /// The title as last seen, for lists while the group itself is unreadable.
    package var title: String

    package var group: ZoneID { genesis.home }

    package init(
        genesis: LedgerRecord, root: Secret, member: Member, after earlier: GroupMembership? = nil,
        revision: UInt64 = 1, state: State, joinedAt: WallTime, title: String
    ) {
        self.genesis = genesis
        self.root = root
        self.member = member
        let isReturn = earlier.map { $0.member != member } ?? false
        former =
            isReturn
            ? Array(([earlier?.member].compactMap(\.self) + (earlier?.former ?? [])).prefix(Limits.formerMembers))
            : earlier?.former ?? []
        returns = (earlier?.returns ?? 0) + (isReturn ? 1 : 0)
        self.revision = revision
        self.state = state
        self.joinedAt = joinedAt
        self.title = title
    }

    func with(_ state: State) -> GroupMembership {
        var changed = self
        changed.state = state
        return changed
    }

    package static func slotName(of group: ZoneID) -> String { "group.\(group.hex)" }

    package func supersedes(_ other: GroupMembership) -> Bool {
        // A device that slept through the person's return still writes as the former member.
        if returns != other.returns { return returns > other.returns }
        if revision != other.revision { return revision > other.revision }
        if state != other.state { return state.rawValue > other.state.rawValue }
        return other.encoded.lexicographicallyPrecedes(encoded)
    }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 512)
        writer.writeArray(9)
        writer.write(genesis.encoded, root.withUnsafeBytes(Array.init), member)
        writer.write(all: former)
        writer.write(returns, revision, state.rawValue, joinedAt, title)
        return writer.bytes
    }

    /// The genesis is taken unchecked: the register's writer has checked it.
    package init(fields: [UInt8], hasBlob: Bool) throws {
        var reader = try CBORReader(fields, array: 9)
        let genesisBytes = try reader.readBytes(max: Ledger.Limits.recordBytes)
        guard let genesis = try? LedgerRecord(encoded: genesisBytes, verified: true),
            case .genesis(.group) = genesis.act
        else { throw CBORError.outOfRange(at: 0) }
        self.genesis = genesis
        root = Secret(bytes: try reader.readBytes(max: Ledger.Limits.rootBytes))
        guard root.count == Ledger.Limits.rootBytes else { throw CBORError.wrongSize(at: reader.position) }
        member = try Member(from: &reader)
        let count = try reader.readArray(max: Limits.formerMembers)
        var former: [Member] = []
        for _ in 0..<count { former.append(try Member(from: &reader)) }
        self.former = former
        returns = try reader.readUInt(max: Limits.membershipRevision)
        revision = try reader.readUInt(max: Limits.membershipRevision)
        guard let state = State(rawValue: try reader.readUInt()) else { throw CBORError.outOfRange(at: 0) }
        self.state = state
        joinedAt = try reader.readTime()
        title = try reader.readText(max: Limits.membershipTitleBytes)
        try reader.finish()
    }
}

extension GroupMembership.Member: CBORValue {
    @usableFromInline package func write(to writer: inout CBORWriter) { writer.write(array: person, firstLane) }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        try reader.readArray(of: 2)
        self.init(person: try reader.read(PersonID.self), firstLane: try reader.read(LaneID.self))
    }
}

extension GroupMembership: Joinable {
    package func merged(with other: GroupMembership) -> GroupMembership { other.supersedes(self) ? other : self }
    package func contains(_ other: GroupMembership) -> Bool { !other.supersedes(self) }
}

extension GroupMembership: AccountRecord {
    package static var metaType: MetaType { .groupMembership }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(Self.slotName(of: group).utf8) }
}
