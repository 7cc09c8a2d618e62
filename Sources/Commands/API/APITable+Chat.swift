import Node

/// Messages.
extension APITable {
    package static let chat: [Endpoint] = [
        Endpoint(
            "explain", .get, "/v1/explain", .scope(.chatRead), .command("explain"),
            "Where a message or a conversation is, how it came, and what is still missing of it",
            parameters: [APIParameter(.query, "what", "WHAT", required: true, help: "a txid or a conversation's id")],
            answer: .object("Explanation")),
    ]

    static let chatShapes: [Shape] = [
        Shape("Explanation", "sentence text,conversationId? text?,txid? txid,status? text,state? text,nextTry? int?"),
    ]
}
