/// What a change is about. The numbers are stored and never given to another kind.
package enum ChangeKind: UInt8, Sendable, CaseIterable {
    case messageAdded = 1
    case messageResolved = 2
    case messageConfirmed = 3
    case messageReorged = 4
    case messageDeleted = 5
    case messageHinted = 6
    case readState = 7
    case unread = 8
    case conversation = 9
    case device = 10
    case account = 11
    case sync = 12
    case groupJoined = 13
    case group = 14
    case achievements = 15

    package var isAboutMessages: Bool { rawValue <= ChangeKind.messageHinted.rawValue }

    /// Tells of messages, conversations or devices, and not of groups or of the account as a whole.
    package var isAboutChats: Bool { rawValue <= ChangeKind.device.rawValue }

    /// As scripts and apps see it.
    package var word: String {
        switch self {
        case .messageAdded: "message-added"
        case .messageResolved: "message-resolved"
        case .messageConfirmed: "message-confirmed"
        case .messageReorged: "message-reorged"
        case .messageDeleted: "message-deleted"
        case .messageHinted: "message-hinted"
        case .readState: "read-state"
        case .unread: "unread"
        case .conversation: "conversation"
        case .device: "device"
        case .account: "account"
        case .sync: "sync"
        case .groupJoined: "group.joined"
        case .group: "group"
        case .achievements: "achievements"
        }
    }
}
