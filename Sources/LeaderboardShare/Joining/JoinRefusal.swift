/// The reasons that a member refuses a joiner. The numbers are part of the protocol: from 16 on, another member may
/// admit, or the same one later.
package enum JoinRefusal: UInt64, Error, Sendable, CaseIterable {
    case expired = 1
    case revoked = 2
    case usedUp = 3
    /// The group was deleted.
    case closed = 4
    case full = 5
    /// The invitation never belonged to the group, or claims more rights than it has.
    case notValid = 6
    /// The joiner's key was removed from the group: the person needs another key to return.
    case removedKey = 7
    /// The invitation has limited uses, and only the device that issued it admits with it.
    case notTheIssuer = 16
    /// This member may not admit, or does not know enough of the group yet.
    case notReady = 17

    package var isLasting: Bool { rawValue < JoinRefusal.notTheIssuer.rawValue }
}

extension JoinRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .expired: "this invitation has expired: ask for a new one"
        case .revoked: "this invitation was revoked: ask for a new one"
        case .usedUp: "this invitation is used up: ask for a new one"
        case .closed: "the group was deleted"
        case .full: "the group has as many members as it is meant for"
        case .notValid: "not a valid invitation"
        case .removedKey: "you were removed from this group: join again to come back with a new key"
        case .notTheIssuer: "waits for the device that issued the invitation, since its uses are counted"
        case .notReady: "waits for a member who may let you in"
        }
    }
}
