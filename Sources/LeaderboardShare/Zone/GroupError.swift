/// The reasons that a member cannot do something in a group.
package enum GroupError: Error, Equatable, Sendable {
    /// The group's records that prove this membership are not here yet.
    case joining
    /// This member was removed by the owner.
    case expelled
    /// The account removed this device.
    case deviceRemoved
    /// This member left.
    case departed
    /// Admitted by a right that the owner had taken away: the others do not accept this member.
    case lapsed
    /// The role does not allow it.
    case notAllowed
    /// Nobody changes the owner's role, suspends or removes the owner.
    case ofOwner
    /// Nobody does that to oneself.
    case oneself
    /// The owner's entry for a game counts before the admins'.
    case gameOfOwner
    /// The group was closed.
    case closed
    case noSuchMember
    case alreadyRemoved
    /// Its results can be dropped only together with the removal.
    case resultsStay
    /// The invitation is unknown here.
    case noSuchInvitation
    case revoked
    /// The tickets are not those of the invitation.
    case notValid
    case expired
    case usedUp
    /// The group has reached the number of members it is designed for.
    case full
    case badTitle
    case tooManyPeople
    /// An admin's invitations only count for 64 people in all.
    case tooManyTickets
    /// The numbers of a title or of the words on a member.
    case exhausted
    /// The account has no unused person for a group, or not yet.
    case noPerson
}

extension GroupError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .joining: "the group's records are not here yet: wait until another member's device is in reach"
        case .expelled: "you were removed from this group: ask for a new invitation to come back"
        case .deviceRemoved: "this device was removed from your account: use another one"
        case .departed: "you left this group: ask for a new invitation to come back"
        case .lapsed:
            "before the owner heard of you, your invitation was revoked or used by somebody else, or its author was "
                + "removed: join again with another one"
        case .notAllowed: "your role in this group does not allow it"
        case .ofOwner: "the owner keeps that role, and cannot be suspended or removed"
        case .oneself: "you cannot do that to yourself: ask the owner, or leave the group"
        case .gameOfOwner: "the owner entered this game: only the owner can change it"
        case .closed: "the group was closed"
        case .noSuchMember: "there is no such member"
        case .alreadyRemoved: "that member was removed before"
        case .resultsStay: "that member was removed before; results can be dropped only with the removal"
        case .noSuchInvitation: "there is no such invitation"
        case .revoked: "this invitation was revoked"
        case .notValid: "not a valid invitation"
        case .expired: "the invitation has expired"
        case .usedUp: "the invitation has no uses left"
        case .full: "the group is full"
        case .badTitle: "a title has 1 to 80 characters, not only blanks, and no control characters"
        case .tooManyPeople: "an invitation is for 1 to 64 people"
        case .tooManyTickets: "your invitations let in as many people as an admin may: revoke one first"
        case .exhausted: "the numbers for this are used up: create another group"
        case .noPerson: "this account's keys for groups are not here yet: wait for another device of yours"
        }
    }
}
