import Node

/// Conversations and read positions.
extension APITable {
    private static let conversation = APIParameter(.path, "conversation", "CONVERSATION", help: "its id")

    package static let conversations: [Endpoint] = [
        Endpoint(
            "conversations", .get, "/v1/conversations", .scope(.chatRead), .command("conversation list"),
            "The conversations, the one with the newest message first", answer: .list("Conversation", next: nil)),
        Endpoint(
            "conversation", .get, "/v1/conversations/{conversation}", .scope(.chatRead), .command("conversation show"),
            "A conversation: counts, title, participants, flags", parameters: [conversation],
            answer: .object("ConversationDetails")),
        Endpoint(
            "setConversation", .patch, "/v1/conversations/{conversation}", .scope(.chatWrite),
            .command("conversation set"), "Set the title, the participants or the flags, on all devices",
            parameters: [
                conversation, APIParameter(.body, "title", "--title", .clearable(by: "--no-title")),
                APIParameter(.body, "participants", "--participant", .participants),
                APIParameter(.body, "pinned", "--pinned"), APIParameter(.body, "muted", "--muted"),
                APIParameter(.body, "archived", "--archived"), APIParameter(.body, "markedUnread", "--unread"),
                APIParameter(.body, "checkpoint", "--checkpoint", .pattern("^([0-9a-fA-F]{2}){1,512}$")),
            ], body: .someFields, answer: .object("ConversationChanged")),
        Endpoint(
            "deleteConversation", .delete, "/v1/conversations/{conversation}", .scope(.chatWrite),
            .command("conversation delete"), "Delete the messages that the conversation has now, on all devices",
            parameters: [conversation], answer: .object("DeletedConversation")),
        Endpoint(
            "markRead", .post, "/v1/conversations/{conversation}/read", .scope(.chatWrite), .command("read mark"),
            "Mark as read, up to the newest message or to the given one",
            parameters: [conversation, APIParameter(.body, "txid", "--txid", help: "64 hexadecimal digits")],
            body: .fields, answer: .object("Marked")),
        Endpoint(
            "leaveConversation", .post, "/v1/conversations/{conversation}/leave", .scope(.chatWrite),
            .command("read leave"), "The conversation was left: its read position goes to the other devices",
            parameters: [conversation], body: .fields, answer: .object("Left")),
    ]
}
