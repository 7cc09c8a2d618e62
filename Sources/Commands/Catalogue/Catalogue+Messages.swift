import Node

/// `message …`
extension Catalogue {
    package static let messages: [CommandSpec] = [
        CommandSpec(
            "message list", summary: "List the messages of a conversation, newest first",
            examples: [
                "kachat-node message list --conversation alice",
                "kachat-node message list --conversation alice --limit 50 --before CURSOR",
                "kachat-node message list --placeholders",
            ],
            options: [
                .account,
                OptionSpec("--conversation", .text("C"), help: "the conversation's id"),
                OptionSpec("--placeholders", help: "only messages whose bodies are not here yet, of all conversations"),
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
            "message confirm", summary: "Tell that a message is in a block or accepted; without --txid as JSON lines",
            examples: [
                "kachat-node message confirm --txid TXID --block-time 1790000000000 --score 118000000",
                "kachat-node message confirm - < events.jsonl",
            ],
            places: [PlaceSpec("FILE", .text("FILE"), required: false)],
            options: chainEvent),
        CommandSpec(
            "message reorg", summary: "Tell that a message lost its place in the chain; with --score it has a new one",
            examples: ["kachat-node message reorg --txid TXID", "kachat-node message reorg - < events.jsonl"],
            places: [PlaceSpec("FILE", .text("FILE"), required: false)],
            options: chainEvent),
        CommandSpec(
            "message delete", summary: "Delete a message on all devices, for ever",
            examples: ["kachat-node message delete TXID", "kachat-node message delete TXID --yes"],
            places: [PlaceSpec("TXID", .txid)],
            options: [.account, OptionSpec("--yes", help: "do not ask")]),
        CommandSpec(
            "message hint",
            summary: "Say that a message exists whose body is not here: the other devices are asked for it at once",
            examples: [
                "kachat-node message hint --txid TXID",
                "kachat-node message hint --txid TXID --conversation alice --direction received",
            ],
            options: [
                .account,
                OptionSpec("--txid", .txid, required: true, help: "the message"),
                OptionSpec("--conversation", .text("C"), help: "where it belongs, if that is known"),
                OptionSpec(
                    "--direction", .choice("sent|received", ["sent", "received"]),
                    help: "which way it went (default sent)"),
            ]),
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

    private static let chainEvent: [OptionSpec] = [
        .account,
        OptionSpec("--txid", .txid, help: "the message; without it events are read from FILE"),
        OptionSpec("--block-time", .number("MS", 0...(1 << 48 - 1)), help: "time of its block, ms since 1970"),
        OptionSpec("--score", .number("N", 0...(1 << 62 - 1)), help: "accepting DAA score"),
        OptionSpec(
            "--status", .choice("S", ["pending", "seen", "confirmed", "reorged"]),
            help: "pending, seen, confirmed or reorged"),
    ]
}
