package import Ledger

/// A member, as shown to people.
package struct GroupMember: Sendable {
    package enum State: String, Sendable {
        case active
        case suspended
        /// Dismissed by the owner.
        case removed
        /// Left voluntarily.
        case left
    }

    package let id: MemberID
    /// Different from that of every other member.
    package let name: String
    package let role: Role
    package let state: State
    /// The owner's device has seen it: no ticket matters to it any more.
    package let isConfirmed: Bool
    /// The member that invited it; nil for the owner, and if it is unknown.
    package let invitedBy: MemberID?
    /// Number of its devices.
    package let devices: Int
    package let isMe: Bool
}
