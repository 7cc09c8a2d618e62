/// What somebody in a simulated group does.
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
    /// The owner offers the group to somebody who keeps the rules.
    case offer
    case accept
    case leave
    /// The owner deletes the group; in some runs, near the end.
    case close
    /// Two join with one counted token, on both sides of a cut.
    case joinCounted
    /// Scores and acts beyond one's right, for oneself and for others.
    case forge
    /// Rows into holes of the own lane and far ahead, some kept back and shown later.
    case backdate
    /// Two records at one place of the own lane.
    case equivocate
    case flood
    /// Somebody let in with a token that was for another, or used before.
    case replay
    /// What others who break the rules wrote is passed on.
    case collude

    /// Of those who keep the rules, more often what people do more often.
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
