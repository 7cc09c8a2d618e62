/// `message …`
extension Catalogue {
    static let messages: [CommandSpec] = [
        CommandSpec(
            "message list", summary: "List the messages of a conversation, newest first",
            examples: [
                "kachat-node message list --conversation alice",
                "kachat-node message list --conversation alice --limit 50 --before CURSOR",
            ],
            options: [
                .account,
                OptionSpec("--conversation", .text("C"), required: true, help: "the conversation's id"),
                OptionSpec("--limit", .number("N", 1...UInt64(Limits.messageListRows)), help: "at most N (default 50)"),
                OptionSpec("--before", .text("CURSOR"), help: "older than the message with this `cursor`"),
            ]),
        CommandSpec(
            "message show", summary: "Show one message",
            examples: ["kachat-node message show TXID"],
            places: [PlaceSpec("TXID", .txid)],
            options: [.account]),
        CommandSpec(
            "message add", summary: "Add one message: a JSON object on standard input, as in `import`",
            examples: ["kachat-node message add < message.json"],
            options: [.account]),
    ]
}
