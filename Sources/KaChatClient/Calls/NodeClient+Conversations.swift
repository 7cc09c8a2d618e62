import JSONLines
public import NodeModel

/// Conversations and their read positions (scopes `chat:read`, `chat:write`).
extension NodeClient {
    /// All conversations, the one with the newest message first.
    public func conversations() async throws(ClientError) -> [Conversation] {
        try await list(Call(.get, "conversations"))
    }

    /// One conversation, with its participants.
    ///
    /// - Throws: `not-found`.
    public func conversation(_ conversationId: String) async throws(ClientError) -> Conversation {
        try await object(Call(.get, "conversations", conversationId))
    }

    /// Sets title, participants or flags, on all devices.
    ///
    /// - Returns: true if that changed anything.
    /// - Throws: `usage` if the change sets nothing.
    @discardableResult
    public func setConversation(
        _ conversationId: String, _ change: ConversationChange
    ) async throws(ClientError) -> Bool {
        let title = change.title.map { $0.isEmpty ? JSONValue.null : .string($0) }
        let participants = change.participants.map { list in JSONValue.array(list.map(\.json)) }
        let call = Call(.patch, "conversations", conversationId).field("title", title)
            .field("participants", participants).field("pinned", change.pinned).field("muted", change.muted)
            .field("archived", change.archived).field("markedUnread", change.markedUnread)
            .field("checkpoint", change.checkpoint)
        return try await object(call, ConversationChanged.self).changed
    }

    /// Deletes the conversation's current messages on all devices. For seven days `restoreConversation` brings them
    /// back.
    @discardableResult
    public func deleteConversation(_ conversationId: String) async throws(ClientError) -> DeleteResult {
        try await object(Call(.delete, "conversations", conversationId))
    }

    /// Restores the messages that were deleted with the conversation, on all devices.
    ///
    /// - Returns: their number.
    /// - Throws: `not-found` if the conversation is not deleted.
    @discardableResult
    public func restoreConversation(_ conversationId: String) async throws(ClientError) -> Int {
        try await object(Call(.post, "conversations", conversationId, "restore"), RestoredConversation.self).messages
    }

    /// Marks messages as read up to the given one, or the newest. Call it as often as the view scrolls: other devices
    /// hear of it after 15 s of quiet, or on `leave` and `background`.
    @discardableResult
    public func markRead(
        _ conversationId: String, upTo txid: String? = nil
    ) async throws(ClientError) -> MarkResult {
        try await object(Call(.post, "conversations", conversationId, "read").field("txid", txid))
    }

    /// Call it when the user leaves the conversation: its read position is sent to other devices now.
    public func leave(_ conversationId: String) async throws(ClientError) {
        try await callForNothing(Call(.post, "conversations", conversationId, "leave"))
    }
}

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
