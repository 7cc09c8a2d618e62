import Node

/// What tells how far the node is, and what makes it go on.
extension Catalogue {
    package static let sync: [CommandSpec] = [
        CommandSpec(
            "status", summary: "Show what is here, whether it is complete, and who is in reach",
            examples: ["kachat-node status", "kachat-node status --watch", "kachat-node status --json"],
            options: [
                OptionSpec(
                    "--watch",
                    help: "go on until interrupted: over and over on a terminal, else a line for what changes")
            ]),
        CommandSpec(
            "explain",
            summary: "Say where a message or a conversation is, how it came, and what is still missing of it",
            examples: ["kachat-node explain TXID", "kachat-node explain alice --json"],
            places: [PlaceSpec("WHAT", .text("TXID|CONVERSATION"))],
            options: [.account]),
        CommandSpec(
            "doctor", summary: "Look at all that a node needs, and say what to do where something is wrong",
            examples: ["kachat-node doctor", "kachat-node doctor --json", "kachat-node doctor --discovery lo"],
            options: [
                OptionSpec(
                    "--discovery", .discovery,
                    help: "where no node runs: the interfaces to try (default: those that `run` would use)")
            ]),
        CommandSpec(
            "diagnostics", summary: "Show what a bug report needs: no names, no addresses, no messages, no secrets",
            examples: ["kachat-node diagnostics", "kachat-node diagnostics --json > report.json"]),
        CommandSpec(
            "sync", summary: "Ask all peers now",
            examples: ["kachat-node sync --now", "kachat-node sync --wait --timeout 30"],
            options: [
                .account,
                OptionSpec("--now", help: "ask, for missed messages too, and return at once (as without options)"),
                OptionSpec("--wait", help: "return when caught up with the devices in reach"),
                OptionSpec("--timeout", .seconds(upTo: 86_400), help: "give up after S seconds (exit 6; default 120)"),
            ]),
        CommandSpec(
            "background",
            summary: "Hand over what is new, then close all sessions and sockets and let go of the databases",
            examples: ["kachat-node background"]),
        CommandSpec(
            "foreground", summary: "Listen and beacon again after `background`, and ask all peers now",
            examples: ["kachat-node foreground"]),
        CommandSpec(
            "changes", summary: "Tell what changed, one line each, from a token on: for apps that keep up",
            examples: [
                "kachat-node changes --since now",
                "kachat-node changes --since TOKEN --wait 60 --limit 500",
                "kachat-node changes --follow",
            ],
            options: [
                .account,
                OptionSpec(
                    "--since", .text("TOKEN"), help: "behind this token; 0 (default) is the oldest kept, now the newest"
                ),
                OptionSpec(
                    "--wait", .seconds(upTo: 86_400), help: "where there is nothing, wait up to S seconds for it"),
                OptionSpec("--limit", .number("N", 1...1_000_000), help: "at most N lines"),
                OptionSpec("--follow", help: "go on until interrupted"),
            ]),
        CommandSpec(
            "events",
            summary: "Tell what is worth a notification: messages, what friends post, who overtakes you, streaks",
            examples: [
                "kachat-node events --follow",
                "kachat-node events --follow --exec 'notify-send KaChat \"$EVENT_TEXT\"'",
                "kachat-node events --follow --kind message --json",
            ],
            options: [
                .account,
                OptionSpec(
                    "--kind", .choice("KIND", Notice.Kind.allCases.map(\.rawValue)), repeatable: true,
                    help: "only these: message, score, overtaken, streak"),
                OptionSpec(
                    "--since", .text("TOKEN"), help: "behind this token; 0 is the oldest kept, now (default) the newest"
                ),
                OptionSpec("--limit", .number("N", 1...1_000_000), help: "at most N lines"),
                OptionSpec("--follow", help: "go on until interrupted"),
                OptionSpec(
                    "--exec", .text("COMMAND"),
                    help: "run this by the shell for each, with EVENT_KIND, EVENT_TEXT, EVENT_JSON in its environment"
                ),
            ]),
    ]
}
