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
        CommandSpec(
            "message search", summary: "Find messages that have all the words, newest first",
            examples: [
                "kachat-node message search coffee tomorrow",
                "kachat-node message search '\"coffee tomorrow\"' --from 2026-01-01 --to 2026-03-31",
                "kachat-node message search coffee --conversation alice --limit 5",
            ],
            places: [PlaceSpec("WORDS", .text("WORDS"), repeatable: true)],
            options: [
                .account,
                OptionSpec("--conversation", .text("C"), help: "only in this conversation"),
                OptionSpec("--from", .day, help: "from this day on (UTC)"),
                OptionSpec("--to", .day, help: "up to the end of this day (UTC)"),
                OptionSpec("--limit", .number("N", 1...UInt64(Limits.searchHits)), help: "at most N (default 100)"),
            ]),
    ]
}
