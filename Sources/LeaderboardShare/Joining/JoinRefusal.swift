/// The reasons that a member refuses a joiner. The numbers are part of the protocol: from 16 on, another member may
/// let it in, or the same one later.
package enum JoinRefusal: UInt64, Error, Sendable, CaseIterable {
    case expired = 1
    case revoked = 2
    /// All tickets that were shown are used.
    case usedUp = 3
    /// The group was closed.
    case closed = 4
    case full = 5
    /// The invitation never belonged to the group, or has other tickets.
    case notValid = 6
    /// This member may not let anybody in, or does not know enough of the group yet.
    case notReady = 17

    package var isLasting: Bool { self != .notReady }
}

extension JoinRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .expired: "this invitation has expired: ask for a new one"
        case .revoked: "this invitation was revoked: ask for a new one"
        case .usedUp: "this invitation is used up: ask for a new one"
        case .closed: "the group was closed: nobody can join it any more"
        case .full: "the group is full: somebody has to leave it first"
        case .notValid: "this invitation is not one of the group's: ask for a new one"
        case .notReady: "waits for a member who may let you in"
        }
    }
}
