import JSONLines
public import NodeModel

/// Conversations and what has been read of them (scopes `chat:read`, `chat:write`).
extension NodeClient {
    /// All of them, the one with the newest message first.
    public func conversations() async throws(ClientError) -> [Conversation] {
        try await list(Call(.get, "conversations"), of: Conversation.self)
    }

    /// One conversation, with its participants.
    ///
    /// - Throws: `not-found`.
    public func conversation(_ conversationId: String) async throws(ClientError) -> Conversation {
        try await object(Call(.get, "conversations", conversationId), Conversation.self)
    }

    /// Sets title, participants or flags, on all devices.
    ///
    /// - Returns: whether that changed anything.
    /// - Throws: `usage` where the change sets nothing.
    @discardableResult
    public func setConversation(
        _ conversationId: String, _ change: ConversationChange
    ) async throws(ClientError) -> Bool {
        let title = change.title.map { $0.isEmpty ? JSONValue.null : .string($0) }
        let participants = change.participants.map { list in
            JSONValue.array(list.map(\.json))
        }
        let call = Call(.patch, "conversations", conversationId).field("title", title)
            .field("participants", participants).field("pinned", change.pinned).field("muted", change.muted)
            .field("archived", change.archived).field("markedUnread", change.markedUnread)
            .field("checkpoint", change.checkpoint)
        return try await self.call(call) { (fields: Fields) throws(ClientError) in try fields.flag("changed") }
    }

    /// Deletes the messages that the conversation has now, on all devices.
    @discardableResult
    public func deleteConversation(_ conversationId: String) async throws(ClientError) -> DeleteResult {
        try await object(Call(.delete, "conversations", conversationId), DeleteResult.self)
    }

    /// Marks as read, up to the newest message or to the given one. Mark as often as the view scrolls: the other
    /// devices are told once it is quiet (15 s), or by `leave` and `background`.
    @discardableResult
    public func markRead(
        _ conversationId: String, upTo txid: String? = nil
    ) async throws(ClientError) -> MarkResult {
        try await object(Call(.post, "conversations", conversationId, "read").field("txid", txid), MarkResult.self)
    }

    /// The conversation was left: its read position goes to the other devices now.
    public func leave(_ conversationId: String) async throws(ClientError) {
        try await callForNothing(Call(.post, "conversations", conversationId, "leave"))
    }
}
