public import NodeModel

/// Changes to a conversation, for all devices. Fields that are nil stay as they are; if two devices set different
/// fields, both take effect.
public struct ConversationChange: Hashable, Sendable {
    /// An empty text removes the title.
    public var title: String?
    /// The whole list.
    public var participants: [Participant]?
    public var pinned: Bool?
    public var muted: Bool?
    public var archived: Bool?
    public var markedUnread: Bool?
    /// Up to 512 bytes as hexadecimal digits, opaque to the node.
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
