import JSONLines
public import NodeModel

/// Messages (scopes `chat:read`, `chat:write`).
extension NodeClient {
    /// Messages of a conversation, the newest first, a page at a time.
    ///
    /// - Parameters:
    ///   - limit: from 1 to 500.
    ///   - before: `next` of the page before.
    public func messages(
        in conversationId: String, limit: Int = 50, before: String? = nil
    ) async throws(ClientError) -> MessagePage {
        let call = Call(.get, "messages").query("conversation", conversationId).query("limit", limit)
            .query("before", before)
        return try await object(call, MessagePage.self)
    }

    /// Messages whose bodies are not here yet, of one conversation or of all.
    public func placeholders(
        in conversationId: String? = nil, limit: Int = 50, before: String? = nil
    ) async throws(ClientError) -> MessagePage {
        let call = Call(.get, "placeholders").query("conversation", conversationId).query("limit", limit)
            .query("before", before)
        return try await object(call, MessagePage.self)
    }

    /// One message, with when it was read.
    ///
    /// - Throws: `not-found`.
    public func message(_ txid: String) async throws(ClientError) -> Message {
        try await object(Call(.get, "messages", txid), Message.self)
    }

    /// Messages that have all the words, the newest first.
    ///
    /// - Parameters:
    ///   - words: up to 16; what stands in double quotes has to be there as it stands.
    ///   - from: a day in UTC such as `2026-01-31`; `to` counts too.
    public func search(
        _ words: String, in conversationId: String? = nil, from: String? = nil, to: String? = nil, limit: Int = 100
    ) async throws(ClientError) -> [Message] {
        let call = Call(.get, "search").query("words", words).query("conversation", conversationId)
            .query("from", from).query("to", to).query("limit", limit)
        return try await list(call, of: Message.self)
    }

    /// Adds a message that was sent or received. It is durable when this returns. Connected devices get it within a
    /// second of the last of several that come together, those that come later when they connect.
    ///
    /// - Throws: `bad-input`, `storage-full`.
    @discardableResult
    public func add(_ message: NewMessage) async throws(ClientError) -> AddResult {
        let call = Call(.put, "messages", message.txid).fields(of: NamedMessage(message))
        return try await result(call)
    }

    /// Says that a message exists whose body is not here, as when a push tells of it: it is shown as a placeholder at
    /// once, and the devices in reach are asked for it.
    @discardableResult
    public func hint(
        _ txid: String, conversationId: String? = nil, direction: Direction = .sent
    ) async throws(ClientError) -> AddResult {
        try await result(
            Call(.post, "messages", txid, "hint").field("conversation", conversationId)
                .field("direction", direction.rawValue))
    }

    /// Tells that a message is in a block, or accepted. What is nil stays as it was.
    ///
    /// - Parameter blockTime: in milliseconds since 1970.
    @discardableResult
    public func confirm(
        _ txid: String, blockTime: Int? = nil, acceptingDaaScore: Int? = nil
    ) async throws(ClientError) -> ChainResult {
        try await result(event("confirm", txid, blockTime, acceptingDaaScore))
    }

    /// Tells that a message lost its place in the chain.
    @discardableResult
    public func reorg(
        _ txid: String, blockTime: Int? = nil, acceptingDaaScore: Int? = nil
    ) async throws(ClientError) -> ChainResult {
        try await result(event("reorg", txid, blockTime, acceptingDaaScore))
    }

    /// Deletes a message on all devices, for ever.
    @discardableResult
    public func deleteMessage(_ txid: String) async throws(ClientError) -> DeleteResult {
        try await object(Call(.delete, "messages", txid), DeleteResult.self)
    }

    private func event(_ name: String, _ txid: String, _ blockTime: Int?, _ score: Int?) -> Call {
        Call(.post, "messages", txid, name).field("blockTime", blockTime).field("acceptingDaaScore", score)
    }

    private func result<Result: RawRepresentable<String> & Sendable>(
        _ call: Call
    ) async throws(ClientError) -> Result {
        try await self.call(call) { (fields: Fields) throws(ClientError) in
            let word = try fields.text("result")
            guard let result = Result(rawValue: word) else { throw .badAnswer("`\(word)` is no result") }
            return result
        }
    }
}
