import JSONLines
public import NodeModel

/// Messages (scopes `chat:read`, `chat:write`).
extension NodeClient {
    /// Messages of a conversation, newest first, one page at a time.
    ///
    /// - Parameters:
    ///   - limit: from 1 to 500.
    ///   - cursor: `cursor` of the previous page, or a message's; lists older ones.
    public func messages(
        in conversationId: String, limit: Int = 50, cursor: String? = nil
    ) async throws(ClientError) -> MessagePage {
        let call = Call(.get, "messages").query("conversation", conversationId).query("limit", limit)
            .query("cursor", cursor)
        return try await page(call)
    }

    /// Missing messages, whose text is not here yet, of one conversation or of all.
    public func placeholders(
        in conversationId: String? = nil, limit: Int = 50, cursor: String? = nil
    ) async throws(ClientError) -> MessagePage {
        let call = Call(.get, "placeholders").query("conversation", conversationId).query("limit", limit)
            .query("cursor", cursor)
        return try await page(call)
    }

    /// One message, with the time it was read.
    ///
    /// - Throws: `not-found`.
    public func message(_ txid: String) async throws(ClientError) -> Message {
        try await object(Call(.get, "messages", txid))
    }

    /// Messages that contain all the words, newest first.
    ///
    /// - Parameters:
    ///   - words: up to 16; text in double quotes must match exactly.
    ///   - from: a day in UTC such as `2026-01-31`; both `from` and `to` are included.
    public func search(
        _ words: String, in conversationId: String? = nil, from: String? = nil, to: String? = nil, limit: Int = 100
    ) async throws(ClientError) -> [Message] {
        let call = Call(.get, "search").query("words", words).query("conversation", conversationId)
            .query("from", from).query("to", to).query("limit", limit)
        return try await page(call).messages
    }

    /// Adds a message that was sent or received. It is durable when this returns. Connected devices get it within a
    /// second of the last of a burst, others when they connect.
    ///
    /// - Throws: `bad-input`, `storage-full`.
    @discardableResult
    public func add(_ message: NewMessage) async throws(ClientError) -> AddResult {
        let call = Call(.put, "messages", message.txid).fields(of: NamedMessage(message))
        return try await object(call, Added.self).result
    }

    /// Announces a message whose text is not here, such as one named by a push notification: it is shown as missing at
    /// once, and devices in reach are asked for it.
    @discardableResult
    public func hint(
        _ txid: String, conversationId: String? = nil, direction: Direction = .sent
    ) async throws(ClientError) -> AddResult {
        let call = Call(.post, "messages", txid, "hint").field("conversation", conversationId)
            .field("direction", direction.rawValue)
        return try await object(call, Hinted.self).result
    }

    /// Records that a message is in a block, or accepted. Nil leaves a value as it was.
    ///
    /// - Parameter blockTime: in milliseconds since 1970.
    @discardableResult
    public func confirm(
        _ txid: String, blockTime: Int? = nil, acceptingDaaScore: Int? = nil
    ) async throws(ClientError) -> ChainResult {
        try await object(event("confirm", txid, blockTime, acceptingDaaScore), Learned.self).result
    }

    /// Records that a reorganisation of the chain removed a message.
    @discardableResult
    public func reorg(
        _ txid: String, blockTime: Int? = nil, acceptingDaaScore: Int? = nil
    ) async throws(ClientError) -> ChainResult {
        try await object(event("reorg", txid, blockTime, acceptingDaaScore), Learned.self).result
    }

    /// Deletes a message on all devices. For seven days `restoreMessage` brings it back.
    @discardableResult
    public func deleteMessage(_ txid: String) async throws(ClientError) -> DeleteResult {
        try await object(Call(.delete, "messages", txid))
    }

    /// Restores a deleted message on all devices.
    ///
    /// - Throws: `not-found` if it cannot be restored.
    public func restoreMessage(_ txid: String) async throws(ClientError) {
        try await callForNothing(Call(.post, "messages", txid, "restore"))
    }

    /// The deleted messages and conversations that can be restored, the latest first.
    public func recentlyDeleted() async throws(ClientError) -> [Deleted] { try await list(Call(.get, "deleted")) }

    /// One page of a list of messages.
    private func page(_ call: Call) async throws(ClientError) -> MessagePage {
        try await self.call(call) { value throws(FieldError) in
            MessagePage(messages: try value.items(), cursor: value["cursor"]?.text)
        }
    }

    private func event(_ name: String, _ txid: String, _ blockTime: Int?, _ score: Int?) -> Call {
        Call(.post, "messages", txid, name).field("blockTime", blockTime).field("acceptingDaaScore", score)
    }
}

/// A page of messages, newest first.
public struct MessagePage: Hashable, Sendable {
    public let messages: [Message]
    /// Pass it to get the next page; nil on the last one.
    public let cursor: String?
}
