/// A member, as shown to people.
package struct GroupMember: Sendable {
    package enum State: String, Sendable {
        case active
        case suspended
        case removed
        /// Left voluntarily.
        case left
    }

    package let id: MemberID
    /// Different from that of every other member.
    package let name: String
    package let role: Role
    package let state: State
    /// Number of devices certified by the member.
    package let devices: Int
    package let isMe: Bool
}
