/// The reasons that a member cannot do something in a group.
package enum GroupError: Error, Equatable, Sendable {
    case notMember
    /// The group's records that prove this membership are not here yet.
    case joining
    /// This member was removed by the owner.
    case expelled
    /// This member left.
    case departed
    /// Admitted by a right that the owner had taken: the others do not accept this member.
    case lapsed
    /// The role does not allow it.
    case notAllowed
    /// The group was deleted.
    case closed
    case noSuchMember
    /// The invitation is unknown here.
    case noSuchInvitation
    case revoked
    /// Only the device that issued an invitation with limited uses admits with it.
    case notTheIssuer
    /// The invitation's chain or proof is invalid.
    case notValid
    case expired
    case usedUp
    /// The person was removed, and can only return with a new key.
    case removed
    /// The group has reached the number of members it is designed for.
    case full
    case badTitle
    /// Ownership was not offered to this member, or no longer is.
    case nothingOffered
    /// The root of the current epoch is not here yet.
    case rootMissing
    /// An earlier owner used up the numbers of titles or rotations.
    case exhausted
}

extension GroupError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notMember: "you are not a member of this group"
        case .joining: "the group's records are not here yet: wait until another member's device is in reach"
        case .expelled: "you were removed from this group: ask for a new invitation to come back"
        case .departed: "you left this group: ask for a new invitation to come back"
        case .lapsed: "your invitation was withdrawn before the owner knew of you: join again with another one"
        case .notAllowed: "your role in this group does not allow it"
        case .closed: "the group was deleted"
        case .noSuchMember: "there is no such member"
        case .noSuchInvitation: "this invitation is not known"
        case .revoked: "this invitation was revoked"
        case .notTheIssuer: "only the device that issued this invitation can admit with it, since its uses are counted"
        case .notValid: "not a valid invitation"
        case .expired: "the invitation has expired"
        case .usedUp: "the invitation has no uses left"
        case .removed: "this key was removed from the group: the person joins again with a new one"
        case .full: "the group has as many members as it is meant for"
        case .badTitle: "a title has 1 to 80 characters and no control characters"
        case .nothingOffered: "the owner has not offered you the group, or not any more"
        case .exhausted: "an earlier owner used up the numbers for this: found another group"
        case .rootMissing: "the group's newest keys are not here yet: wait for another member"
        }
    }
}
