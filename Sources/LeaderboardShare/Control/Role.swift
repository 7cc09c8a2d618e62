/// A member's role. A higher one includes the rights of the lower ones.
package enum Role: UInt8, CaseIterable, Comparable, Sendable {
    /// Reads; its posts are refused.
    case viewer = 1
    /// Posts scores, and admits joiners with a valid token.
    case member = 2
    /// Invites, admits and suspends.
    case admin = 3
    /// Also assigns roles, takes rights, names the group and closes it. There is one at a time.
    case owner = 4

    package static func < (left: Role, right: Role) -> Bool { left.rawValue < right.rawValue }
}
