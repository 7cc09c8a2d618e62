/// `conversation …` and `read …`
extension Catalogue {
    static let conversations: [CommandSpec] = [
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
            "read mark", summary: "Mark a conversation as read, up to its newest message or to the given one",
            examples: ["kachat-node read mark alice", "kachat-node read mark alice --txid TXID"],
            places: [PlaceSpec("CONVERSATION", .text("CONVERSATION"))],
            options: [.account, OptionSpec("--txid", .txid, help: "up to this message")]),
        CommandSpec(
            "read leave", summary: "Say that the conversation was left: its read position goes to the other devices",
            examples: ["kachat-node read leave alice"],
            places: [PlaceSpec("CONVERSATION", .text("CONVERSATION"))],
            options: [.account]),
    ]
}
