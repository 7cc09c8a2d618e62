/// What a member may do. A higher one may all that a lower one may.
package enum Role: UInt8, CaseIterable, Comparable, Sendable {
    /// Reads; its posts are refused.
    case viewer = 1
    /// Posts scores and admits who comes with a valid token.
    case member = 2
    /// Invites, admits and suspends.
    case admin = 3
    /// Also gives roles, takes rights, names the group and closes it. One at a time.
    case owner = 4

    package static func < (left: Role, right: Role) -> Bool { left.rawValue < right.rawValue }
}
