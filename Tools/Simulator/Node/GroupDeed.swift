/// An action of somebody in a simulated group.
package enum GroupDeed: String, Hashable, Sendable, CaseIterable {
    case post
    case invite
    case inviteOne
    case join
    case rename
    case remove
    case demote
    case suspend
    case unsuspend
    case rotate
    /// The owner offers the group to an honest member.
    case offer
    case accept
    case leave
    /// The owner deletes the group; in some runs, near the end.
    case close
    /// Two join with one token of limited uses, on both sides of a partition.
    case joinCounted
    /// Scores and acts beyond one's rights, for oneself and for others.
    case forge
    /// Rows in holes of the own lane and far ahead, some withheld and shown later.
    case backdate
    /// Two records at one place of the own lane.
    case equivocate
    case flood
    /// Admitting somebody with a token that was for another, or already used.
    case replay
    /// Passing on what other dishonest nodes wrote.
    case collude

    /// Actions of honest nodes, weighted by how often people do them.
    static let honest: [GroupDeed] =
        [
            .post, .post, .post, .post, .post, .post, .post, .post, .join, .join, .join, .join, .invite, .inviteOne,
            .rename,
            .remove, .demote, .suspend, .unsuspend, .rotate, .offer, .accept, .accept, .leave,
        ]
    static let dishonest: [GroupDeed] = [
        .post, .join, .join, .join, .forge, .forge, .forge, .backdate, .equivocate, .flood, .replay, .collude,
    ]
}
