import Node

/// Messages.
extension APITable {
    private static let txid = APIParameter(.path, "txid", "TXID", help: "64 hexadecimal digits")
    private static let txidOption = APIParameter(.path, "txid", "--txid", help: "64 hexadecimal digits")
    private static let event = [
        txidOption, APIParameter(.body, "blockTime", "--block-time"),
        APIParameter(.body, "acceptingDaaScore", "--score"), APIParameter(.body, "status", "--status"),
    ]

    private static let page = [
        APIParameter(.query, "limit", "--limit", .value(pageLimit), help: "at most so many", standard: "50"),
        APIParameter(
            .query, "before", "--before", .pattern("^[0-9a-f]{1,16}-[0-9a-f]{64}$"), help: "`next` of the page before"),
    ]

    package static let chat: [Endpoint] = [
        Endpoint(
            "messages", .get, "/v1/messages", .scope(.chatRead), .command("message list"),
            "Messages of a conversation, newest first",
            parameters: [APIParameter(.query, "conversation", "--conversation", required: true)] + page,
            answer: .list("ListedMessage", next: .cursor)),
        Endpoint(
            "placeholders", .get, "/v1/placeholders", .scope(.chatRead), .command("message list"),
            "Messages whose bodies are not here yet, of one conversation or of all",
            parameters: [APIParameter(.query, "conversation", "--conversation")] + page,
            fixed: ["--placeholders": [""]],
            answer: .list("ListedMessage", next: .cursor)),
        Endpoint(
            "message", .get, "/v1/messages/{txid}", .scope(.chatRead), .command("message show"), "One message",
            parameters: [txid], answer: .object("ListedMessage")),
        Endpoint(
            "addMessage", .post, "/v1/messages", .scope(.chatWrite), .command("message add"), "Add a message",
            body: .message, answer: .object("Added")),
        Endpoint(
            "putMessage", .put, "/v1/messages/{txid}", .scope(.chatWrite), .command("message add"),
            "Add a message under its txid; a second time changes nothing",
            parameters: [
                APIParameter(.path, "txid", nil, .value(.txid), help: "64 hexadecimal digits")
            ], body: .message, answer: .object("Added")),
        Endpoint(
            "deleteMessage", .delete, "/v1/messages/{txid}", .scope(.chatWrite), .command("message delete"),
            "Delete a message on all devices, for ever", parameters: [txid], answer: .object("DeletedMessage")),
        Endpoint(
            "hintMessage", .post, "/v1/messages/{txid}/hint", .scope(.chatWrite), .command("message hint"),
            "Say that a message exists whose body is not here: the other devices are asked for it",
            parameters: [
                txidOption, APIParameter(.body, "conversation", "--conversation"),
                APIParameter(.body, "direction", "--direction"),
            ], body: .fields, answer: .object("Hinted")),
        Endpoint(
            "confirmMessage", .post, "/v1/messages/{txid}/confirm", .scope(.chatWrite), .command("message confirm"),
            "Tell that a message is in a block, or accepted", parameters: event, body: .fields,
            answer: .object("ChainResult")),
        Endpoint(
            "reorgMessage", .post, "/v1/messages/{txid}/reorg", .scope(.chatWrite), .command("message reorg"),
            "Tell that a message lost its place in the chain", parameters: event, body: .fields,
            answer: .object("ChainResult")),
        Endpoint(
            "search", .get, "/v1/search", .scope(.chatRead), .command("message search"),
            "Messages that have all the words, newest first",
            parameters: [
                APIParameter(
                    .query, "words", "WORDS", .words, required: true, help: "words, or phrases in double quotes"),
                APIParameter(.query, "conversation", "--conversation"), APIParameter(.query, "from", "--from"),
                APIParameter(.query, "to", "--to"),
                APIParameter(.query, "limit", "--limit", .value(pageLimit), help: "at most so many", standard: "100"),
            ], answer: .list("ListedMessage", next: nil)),
        Endpoint(
            "explain", .get, "/v1/explain", .scope(.chatRead), .command("explain"),
            "Where a message or a conversation is, how it came, and what is still missing of it",
            parameters: [APIParameter(.query, "what", "WHAT", required: true, help: "a txid or a conversation's id")],
            answer: .object("Explanation")),
    ]

    private static let message = """
        conversationId name,contact name,direction sent|received,senderTs seconds,\
        blockTime? milliseconds?,acceptingDaaScore? score?,body? text?,status? pending|seen|confirmed|reorged?,\
        device? name?,attachments? [Attachment]?,senderOrder? place?
        """

    static let chatShapes: [Shape] = [
        Shape("Message", "txid txid," + message), Shape("NamedMessage", message),
        Shape(
            "Attachment",
            "mimeType name,link? text?,inline? text?,sizeBytes? int?,duration? int?,width? int?,height? int?"),
        Shape(
            "ListedMessage",
            """
            txid txid,conversationId? text,contact? text,direction sent|received,senderTs int,blockTime? int,\
            acceptingDaaScore? int,status text,body? text,attachments? [Attachment],read bool,cursor? text,readAt? int,\
            readBy? text,readByName? text?,waitingFor? text,nextTry? int?,hintedAt? int,senderOrder? int,\
            missingAfter? Gap?,missingBefore? Gap?
            """),
        Shape("Gap", "messages int,from int?,to int?,sentence text,devices [GapHolder]"),
        Shape("GapHolder", "deviceId text,name text?,connected bool,seenAt int?"),
        Shape("Added", "txid txid,result new|known|completed|deleted|hinted"),
        Shape(
            "DeletedMessage",
            "txid txid,result deleted|known,messages int,cutAnew int,staySealed int,waitFor [object]"),
        Shape("Hinted", "txid txid,result hinted|known|held|deleted,status text?,waitingFor? text,nextTry? int?"),
        Shape("ChainResult", "txid txid,result changed|known|waiting|deleted"),
        Shape("Explanation", "sentence text,conversationId? text?,txid? txid,status? text,state? text,nextTry? int?"),
    ]
}
