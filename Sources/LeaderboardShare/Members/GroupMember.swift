/// A member as people see it.
package struct GroupMember: Sendable {
    package enum State: String, Sendable {
        case active
        case suspended
        case removed
        /// By its own word.
        case left
    }

    package let id: MemberID
    /// Unlike that of every other member.
    package let name: String
    package let role: Role
    package let state: State
    /// Devices that the member certified.
    package let devices: Int
    package let isMe: Bool
}
