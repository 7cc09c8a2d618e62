package import NodeCore

/// A person's Ed25519 key. It is on no device: a signer makes its signatures when a person founds, enters by phrase,
/// removes a device or restores. An account has one person, its identity.
package struct PersonID: Identifier32 {
    package let storage: Bytes32

    package init(_ storage: Bytes32) { self.storage = storage }
}

/// A member of a zone: a person together with the lane with which that person first came. An account has one member,
/// whose first lane is zero, because the same words found the same account on any device.
package struct MemberID: Identifier32 {
    package let storage: Bytes32

    package init(_ storage: Bytes32) { self.storage = storage }

    package init(person: PersonID, firstLane: LaneID) {
        storage = Blake2b.hash32(person.bytes, firstLane.bytes, domain: "kachat member")
    }
}

/// A lane as one member's device or replica. The same key entered for two members is two of these.
package struct LaneKey: Hashable, Comparable, Sendable {
    package let lane: LaneID
    package let member: MemberID
    /// Stores the zone and cannot read it.
    package let isReplica: Bool

    package init(_ lane: LaneID, of member: MemberID, isReplica: Bool = false) {
        (self.lane, self.member, self.isReplica) = (lane, member, isReplica)
    }

    package static func < (left: LaneKey, right: LaneKey) -> Bool {
        if left.lane != right.lane { return left.lane < right.lane }
        if left.member != right.member { return left.member < right.member }
        return !left.isReplica && right.isReplica
    }
}

/// One ticket of an invitation.
package struct TicketID: Hashable, Comparable, Sendable {
    package let invite: RecordHash
    /// The place of the ticket's key in the invitation.
    package let index: UInt8

    package init(invite: RecordHash, index: UInt8) {
        (self.invite, self.index) = (invite, index)
    }

    package static func < (left: TicketID, right: TicketID) -> Bool {
        (left.invite, left.index) < (right.invite, right.index)
    }
}

/// A member's rights. A higher role includes the rights of the lower ones.
package enum Role: UInt8, CaseIterable, Comparable, Sendable {
    /// In a Word: is dismissed.
    case none = 0
    /// Reads; its posts count nowhere.
    case viewer = 1
    /// Posts.
    case member = 2
    /// Invites and suspends.
    case admin = 3
    /// Gives and takes roles, names the group and closes it: the member of genesis, for ever.
    case owner = 4

    package static func < (left: Role, right: Role) -> Bool { left.rawValue < right.rawValue }
}
