/// Every command that NodeRuntime itself carries out. The executable adds those of other modules.
package enum Catalogue {
    package static let commands: [CommandSpec] = home + data + messages + service

    private static let home: [CommandSpec] = [
        CommandSpec(
            "init", summary: "Make this device a node: of a new account, or of one whose phrase you have",
            examples: [
                "kachat-node init --name laptop",
                "kachat-node init --name phone --phrase-file phrase.txt",
                "kachat-node init --phrase-file - < phrase.txt",
            ],
            options: [
                OptionSpec("--name", .text("N"), help: "what your other devices show for this one"),
                OptionSpec("--phrase-file", .text("F"), help: "file with the 12 or 24 words; - is standard input"),
            ]),
        CommandSpec(
            "account show", summary: "Show the account of this node",
            examples: ["kachat-node account show --json"]),
        CommandSpec(
            "account phrase", summary: "Show the recovery phrase: who has it has the account",
            examples: ["kachat-node account phrase"]),
    ]

    private static let service: [CommandSpec] = [
        CommandSpec(
            "run", summary: "Serve: find the other devices and keep in sync until SIGTERM or Ctrl-C",
            examples: [
                "kachat-node run",
                "kachat-node run --listen 0.0.0.0:4711 --peer 100.64.0.7:4711",
                "kachat-node run --listen 127.0.0.1:0 --discovery lo",
            ],
            options: [
                OptionSpec("--listen", .hostPort, help: "address for other devices (default 0.0.0.0:0, any free port)"),
                OptionSpec(
                    "--discovery", .text("auto|lo|off|IFACE,…"),
                    help: "where to look for devices: usable interfaces, loopback, nowhere, or the named ones"),
                OptionSpec("--peer", .peer, repeatable: true, help: "a device that beacons do not reach"),
            ]),
        CommandSpec(
            "status", summary: "Show what is here, whether it is complete, and who is in reach",
            examples: ["kachat-node status", "kachat-node status --json"]),
        CommandSpec(
            "peers", summary: "List the devices that the running node knows",
            examples: ["kachat-node peers"]),
        CommandSpec(
            "sync", summary: "Ask all peers now",
            examples: ["kachat-node sync", "kachat-node sync --wait --timeout 30"],
            options: [
                OptionSpec("--wait", help: "return when caught up with the devices in reach"),
                OptionSpec("--timeout", .seconds(upTo: 86_400), help: "give up after S seconds (exit 6; default 120)"),
            ]),
        CommandSpec(
            "scrub", summary: "Read every stored byte again; what is damaged is fetched anew from a peer",
            examples: ["kachat-node scrub"]),
        CommandSpec("version", summary: "Show the version", examples: ["kachat-node version"]),
        CommandSpec(
            "help", summary: "Show how a command is used",
            examples: ["kachat-node help", "kachat-node help message list"],
            places: [
                PlaceSpec("COMMAND", .text("COMMAND"), required: false),
                PlaceSpec("SUBCOMMAND", .text("SUBCOMMAND"), required: false),
            ]),
    ]

    private static let data: [CommandSpec] = [
        CommandSpec(
            "import", summary: "Take in messages, one JSON object a line; what is here already is not added twice",
            examples: [
                "kachat-node import chat.jsonl",
                "kachat-node import chat.jsonl --device phone",
                "zcat chat.jsonl.gz | kachat-node import -",
            ],
            places: [PlaceSpec("FILE", .text("FILE"))],
            options: [OptionSpec("--device", .text("NAME"), help: "only the lines that this device has written")]),
        CommandSpec(
            "export", summary: "Write all messages to standard output, one JSON object a line",
            examples: ["kachat-node export > chat.jsonl"]),
        CommandSpec(
            "flush", summary: "Put waiting messages into the archive now, so that the other devices get them",
            examples: ["kachat-node flush"]),
    ]

    private static let messages: [CommandSpec] = [
        CommandSpec(
            "conversation list", summary: "List the conversations, with counts and read positions",
            examples: ["kachat-node conversation list", "kachat-node conversation list --json"]),
        CommandSpec(
            "message list", summary: "List the messages of a conversation, newest first",
            examples: [
                "kachat-node message list --conversation alice",
                "kachat-node message list --conversation alice --limit 50 --before CURSOR",
            ],
            options: [
                OptionSpec("--conversation", .text("C"), required: true, help: "the conversation's id"),
                OptionSpec("--limit", .number("N", 1...UInt64(Limits.messageListRows)), help: "at most N (default 50)"),
                OptionSpec("--before", .text("CURSOR"), help: "older than the message with this `cursor`"),
            ]),
        CommandSpec(
            "message show", summary: "Show one message",
            examples: ["kachat-node message show TXID"],
            places: [PlaceSpec("TXID", .txid)]),
        CommandSpec(
            "message add", summary: "Add one message: a JSON object on standard input, as in `import`",
            examples: ["kachat-node message add < message.json"]),
        CommandSpec(
            "read mark", summary: "Mark a conversation as read, up to its newest message or to the given one",
            examples: ["kachat-node read mark alice", "kachat-node read mark alice --txid TXID"],
            places: [PlaceSpec("CONVERSATION", .text("CONVERSATION"))],
            options: [OptionSpec("--txid", .txid, help: "up to this message")]),
        CommandSpec(
            "read leave", summary: "Say that the conversation was left: its read position goes to the other devices",
            examples: ["kachat-node read leave alice"],
            places: [PlaceSpec("CONVERSATION", .text("CONVERSATION"))]),
    ]
}
