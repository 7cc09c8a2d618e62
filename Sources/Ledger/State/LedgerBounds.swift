package import NodeCore

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
    /// Tickets that count in all invitations of one admin: how many it can let in before the owner's devices have seen
    /// it.
    package var adminTickets = 64
    /// Endorsements from a lane back to a person or a first lane; and lanes that a placed one has succeeded and that
    /// keep their places with it.
    package var depth = 32
    /// Removes of one member.
    package var removes = 256
    /// Roots that do not count and that one lane may give back: a device holds one for each owner's device that was
    /// removed before the others had its newest root.
    package var returns = 4
    /// What such a root and those below it cover and is not gone: as many are stored with it, if they are held.
    package var returnedCovers = 256
    /// Such a cover and the records behind it that are not on the root's way: one with more is not stored for it.
    package var behindCover = 32
    /// Decides between two that claim one ticket: the lowest stays. Nobody can choose it.
    package var lot: @Sendable (TicketID, MemberID) -> Bytes32 = { ticket, member in
        Blake2b.hash32(ticket.invite.bytes, [ticket.index], member.bytes, domain: "kachat claim")
    }

    package init() {}
}
