/// The stubs of a conversation.
struct StubCount: Equatable {
    let conversationID: String
    let count: Int
    /// Of the newest one: milliseconds since 1970.
    let newest: UInt64
    /// Of one that knows it; empty where none does.
    let contact: String
}

extension ConversationSummary {
    /// Of a conversation of which nothing else is known.
    init(_ missed: StubCount) {
        self.init(
            conversationID: missed.conversationID, contact: missed.contact, messages: 0, unread: 0,
            placeholders: missed.count)
    }
}
