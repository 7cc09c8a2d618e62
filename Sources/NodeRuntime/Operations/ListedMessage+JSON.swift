import NodeCore
import SyncState

extension ListedMessage {
    /// As `message list` and `message show` give it: the import's fields, and `read` and `cursor`.
    var json: JSONValue {
        var fields = MessageLine(message).fields
        fields["read"] = .bool(isRead)
        fields["cursor"] = .string(cursor.text)
        return .object(fields)
    }
}

extension ConversationSummary {
    var json: JSONValue {
        .object([
            "conversationId": .string(conversationID), "title": .optional(title), "contact": .string(contact),
            "messages": .number(messages), "unread": .number(unread), "lastTxid": .optional(lastTxID?.hex),
            "lastBlockTime": .optional(lastBlockTime), "lastReadTxid": .optional(lastReadTxID?.hex),
            "lastReadBlockTime": .optional(lastReadBlockTime), "lastReadBy": .optional(lastReadBy?.hex),
        ])
    }
}
