/// An action of somebody in a simulated group.
package enum GroupDeed: String, Hashable, Sendable, CaseIterable {
    case post
    /// For several people.
    case invite
    case inviteOne
    case revoke
    case join
    case rename
    case remove
    /// The owner makes somebody a viewer, a member or an admin.
    case setRole
    case suspend
    case unsuspend
    case rotate
    case leave
    /// A person shuts out another device of its own, which was stolen and goes on from then on as its finder likes.
    case removeDevice
    /// The owner closes the group; in some runs, near the end.
    case close
    /// All join with one ticket, on both sides of a partition.
    case joinCounted
    /// A dishonest node hands over what it and others like it wrote, whatever its own ledger says of that.
    case meetLiar
    /// Control records beyond one's rights, and scores, for oneself and for others.
    case forge
    /// Rows in holes of the own lane and far ahead, some withheld and shown later.
    case backdate
    /// Two rows at one place of the own lane, and two control records behind one.
    case equivocate
    case flood
    /// Invented people come by tickets that were for others, or are used already.
    case sybil
    /// Lanes that the own one lets in: for oneself and for others.
    case endorse
    /// Records and rows of others again, under one's own signature or behind other records.
    case replay
    /// Passing on what other dishonest nodes wrote.
    case collude

    /// Actions of honest nodes, weighted by how often people do them.
    static let honest: [GroupDeed] =
        [
            .post, .post, .post, .post, .post, .post, .post, .post, .join, .join, .join, .join, .join, .join, .invite,
            .inviteOne,
            .rename, .remove, .setRole, .suspend, .unsuspend, .rotate, .revoke, .leave, .meetLiar, .meetLiar,
        ]
    static let dishonest: [GroupDeed] = [.post, .join, .join, .join, .join] + attacks
    static let attacks: [GroupDeed] = [
        .forge, .forge, .forge, .backdate, .equivocate, .flood, .sybil, .endorse, .replay, .collude,
    ]
}
