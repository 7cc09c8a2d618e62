package import Chat

extension ChatState {
    /// All messages: conversation by conversation, each newest first.
    package func allMessages() throws -> [ListedMessage] {
        var all: [ListedMessage] = []
        for conversation in try conversationList() {
            var cursor: MessageCursor?
            repeat {
                let page = try messages(
                    conversation: conversation.conversationID, before: cursor, limit: Limits.listedMessages)
                all += page
                cursor = page.last?.cursor
            } while cursor != nil
        }
        return all
    }
}
