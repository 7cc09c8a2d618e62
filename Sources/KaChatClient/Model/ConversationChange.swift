public import NodeModel

/// What is to be set of a conversation, on all devices. What is nil stays as it is; two devices that set different
/// things both win.
public struct ConversationChange: Hashable, Sendable {
    /// An empty text takes the title away.
    public var title: String?
    /// The whole list.
    public var participants: [Participant]?
    public var pinned: Bool?
    public var muted: Bool?
    public var archived: Bool?
    public var markedUnread: Bool?
    /// Up to 512 bytes in hexadecimal digits, of which the node knows nothing.
    public var checkpoint: String?

    public init(
        title: String? = nil, participants: [Participant]? = nil, pinned: Bool? = nil, muted: Bool? = nil,
        archived: Bool? = nil, markedUnread: Bool? = nil, checkpoint: String? = nil
    ) {
        self.title = title
        self.participants = participants
        self.pinned = pinned
        self.muted = muted
        self.archived = archived
        self.markedUnread = markedUnread
        self.checkpoint = checkpoint
    }
}
