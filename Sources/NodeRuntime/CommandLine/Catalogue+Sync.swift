/// What tells how far the node is, and what makes it go on.
extension Catalogue {
    static let sync: [CommandSpec] = [
        CommandSpec(
            "status", summary: "Show what is here, whether it is complete, and who is in reach",
            examples: ["kachat-node status", "kachat-node status --json"]),
        CommandSpec(
            "sync", summary: "Ask all peers now",
            examples: ["kachat-node sync", "kachat-node sync --wait --timeout 30"],
            options: [
                .account,
                OptionSpec("--wait", help: "return when caught up with the devices in reach"),
                OptionSpec("--timeout", .seconds(upTo: 86_400), help: "give up after S seconds (exit 6; default 120)"),
            ]),
    ]
}
