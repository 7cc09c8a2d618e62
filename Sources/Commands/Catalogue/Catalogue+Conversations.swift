import Node

/// `conversation …` and `read …`
extension Catalogue {
    package static let conversations: [CommandSpec] = [
        CommandSpec(
            "conversation list", summary: "List the conversations, with counts and read positions",
            examples: ["kachat-node conversation list", "kachat-node conversation list --json"],
            options: [.account]),
        CommandSpec(
            "conversation delete",
            summary: "Delete the messages that a conversation has now, on all devices; a later one opens it anew",
            examples: ["kachat-node conversation delete alice", "kachat-node conversation delete alice --yes"],
            places: [PlaceSpec("CONVERSATION", .text("CONVERSATION"))],
            options: [.account, OptionSpec("--yes", help: "do not ask")]),
        CommandSpec(
            "conversation show", summary: "Show a conversation: counts, title, participants, flags",
            examples: ["kachat-node conversation show alice"],
            places: [PlaceSpec("CONVERSATION", .text("CONVERSATION"))],
            options: [.account]),
        CommandSpec(
            "conversation set", summary: "Set the title, the participants or the flags of a conversation, everywhere",
            examples: [
                "kachat-node conversation set alice --title Alice --pinned on",
                "kachat-node conversation set alice --participant kaspa:qq…=Alice --participant kaspa:qp…=Bob",
                "kachat-node conversation set alice --unread on",
            ],
            places: [PlaceSpec("CONVERSATION", .text("CONVERSATION"))],
            options: [
                .account,
                OptionSpec("--title", .text("T"), help: "what the conversation is called"),
                OptionSpec("--no-title", help: "take the title back"),
                OptionSpec(
                    "--participant", .text("ADDRESS[=NAME]"), repeatable: true,
                    help: "who takes part; all of them, since the list is set as a whole"),
                OptionSpec("--pinned", .choice("on|off", ["on", "off"]), help: "whether it stays on top"),
                OptionSpec("--muted", .choice("on|off", ["on", "off"]), help: "whether it makes no noise"),
                OptionSpec("--archived", .choice("on|off", ["on", "off"]), help: "whether it is put away"),
                OptionSpec(
                    "--unread", .choice("on|off", ["on", "off"]),
                    help: "whether it looks unread until the next `read mark`"),
                OptionSpec(
                    "--checkpoint", .form("HEX", .hexadecimal), help: "where the app goes on scanning the chain"),
            ]),
        CommandSpec(
            "read mark", summary: "Mark a conversation as read, up to its newest message or to the given one",
            examples: ["kachat-node read mark alice", "kachat-node read mark alice --txid TXID"],
            places: [PlaceSpec("CONVERSATION", .text("CONVERSATION"))],
            options: [.account, OptionSpec("--txid", .txid, help: "up to this message")]),
        CommandSpec(
            "read leave", summary: "Say that the conversation was left: its read position goes to the other devices",
            examples: ["kachat-node read leave alice"],
            places: [PlaceSpec("CONVERSATION", .text("CONVERSATION"))],
            options: [.account]),
        CommandSpec(
            "read import", summary: "Take over an old app's read state, one JSON object a line; again changes nothing",
            examples: ["kachat-node read import reads.jsonl"],
            places: [PlaceSpec("FILE", .text("FILE"))],
            options: [.account]),
    ]
}
