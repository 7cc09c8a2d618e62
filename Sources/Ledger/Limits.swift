package import NodeCore

/// The limits of this module, with the reason for each number.
package enum Limits {
    // MARK: Records

    /// Bytes of one control record. Longer lists are several records.
    package static let recordBytes = 4_096
    /// Lanes, and the identity, to which one record seals a root: 40 entries of 85 bytes are below `recordBytes`.
    package static let sealEntries = 40
    package static let rootBytes = 32
    /// A sealed root or half of one, with its tag; no nonce, because each is sealed under a key of its own.
    package static let sealedRootBytes = 48
    package static let sealedTitleBytes = 2_048
    package static let sealedTicketBytes = 120
    /// Heads that one Word names: 90 hashes of 34 bytes are below `recordBytes`.
    package static let wordHeads = 90
    /// Numbers of Rotates: far more than any zone uses, and incrementing never overflows.
    package static let rotateNumber: UInt64 = 1 << 53
    /// Tips that one Rotate builds on, and Removes, Ends and Words that it covers: of 84 and 34 bytes, together below
    /// `recordBytes`. More take several Rotates.
    package static let rotateTips = 16
    package static let rotateCovers = 64
    /// Members that give one root back to a device of the owner's, while another one of these has it: nobody sees
    /// whether a Seal opens, and not all of three are liars.
    static let giversOfRoot = 3
    /// Revisions of Words and Titles, alike.
    package static let revision: UInt64 = 1 << 53
    /// Lanes that one Remove names: a device's, and those before and after it by fresh starts.
    package static let removedLanes = 32
    /// Heads, lists and children that one Remove names: with the most lanes below `recordBytes`.
    package static let removeNames = 80
    /// Tickets of one invitation.
    package static let tickets = 64
}

/// The share of the state that a member can take up: the same everywhere, because the state is a function of it. A
/// model with small histories takes smaller numbers.
package struct LedgerBounds: Sendable {
    /// Lanes that have a place: of an account, and of a group's owner.
    package var ownerLanes = 64
    /// Lanes of another member that have a place.
    package var memberLanes = 16
    /// Ledger records of one lane that count: in an account, of a group owner's lane, and of another member's.
    package var accountRecords = 64
    package var ownerRecords = 8_192
    package var memberRecords = 256
    /// Tickets of one invitation.
    package var tickets = Limits.tickets
    /// Tickets of all invitations of one admin that count: whom it can let in before the owner's devices have seen it.
    package var adminTickets = 64
    /// Endorsements from a lane back to a person or a first lane; and lanes that a placed one has succeeded and that
    /// keep their places with it.
    package var depth = 32
    /// Removes of one member.
    package var removes = 256
    /// Roots that do not count and that one lane gives back: a device held one for each of the owner's that was removed
    /// before the others had its newest root.
    package var returns = 4
    /// Decides between two that claim one ticket: the lowest stays. Nobody can choose it.
    package var lot: @Sendable (TicketID, MemberID) -> Bytes32 = { ticket, member in
        Blake2b.hash32(ticket.invite.bytes, [ticket.index], member.bytes, domain: "kachat claim")
    }

    package init() {}
}
