/// The limits of this module, with the reason for each number.
package enum Limits {
    // MARK: Records

    /// Bytes of one control record. Longer lists are several records.
    package static let recordBytes = 4_096
    /// Lanes, and the identity, to which one record seals a root: 40 entries of 85 bytes are below `recordBytes`.
    package static let sealEntries = 40
    /// A sealed root or half of one, with its tag; no nonce, because each is sealed under a key of its own.
    package static let sealedRootBytes = 48
    package static let sealedTitleBytes = 400
    package static let sealedTicketBytes = 120
    /// Heads that one Word names: 90 hashes of 34 bytes are below `recordBytes`.
    package static let wordHeads = 90
    /// Numbers of Rotates: far more than any zone uses, and incrementing never overflows.
    package static let rotateNumber: UInt64 = 1 << 53
    /// Revisions of Words and Titles, alike.
    package static let revision: UInt64 = 1 << 53

    // MARK: The state (LEDGER's N12)

    /// Tickets of one invitation, and of all invitations of one admin that count: whom an admin can let in before the
    /// owner's devices have seen it.
    package static let tickets = 64
    /// Lanes that have a place: of an account, and of a group's owner.
    package static let ownerLanes = 64
    /// Lanes of another member that have a place.
    package static let memberLanes = 16
    /// Lanes that a placed lane has succeeded and that keep their places with it.
    package static let succeededLanes = 32
    /// Ledger records of one lane that count: in an account, in a group, and of a group owner's lane.
    package static let accountLaneRecords = 64
    package static let memberLaneRecords = 256
    package static let ownerLaneRecords = 8_192
    /// Endorsements from a lane back to a person or a first lane.
    package static let depth = 32
    /// Removes that count of one member.
    package static let memberRemoves = 256
    /// Lanes that one Remove names: a device's, and those before and after it by fresh starts.
    package static let removedLanes = 32
}
