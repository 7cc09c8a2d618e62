/// Data that comes in or goes out as a whole, and how it is stored.
extension Catalogue {
    static let data: [CommandSpec] = [
        CommandSpec(
            "import", summary: "Take in messages, one JSON object a line; what is here already is not added twice",
            examples: [
                "kachat-node import chat.jsonl",
                "kachat-node import chat.jsonl --device phone",
                "zcat chat.jsonl.gz | kachat-node import -",
            ],
            places: [PlaceSpec("FILE", .text("FILE"))],
            options: [
                .account, OptionSpec("--device", .text("NAME"), help: "only the lines that this device has written"),
                OptionSpec(
                    "--placeholder-text", .text("T"),
                    help: "what an old app wrote where it lacked the body (default: the setting placeholder.text)"),
            ]),
        CommandSpec(
            "export", summary: "Write all messages to standard output, one JSON object a line",
            examples: ["kachat-node export > chat.jsonl"],
            options: [.account]),
        CommandSpec(
            "flush", summary: "Put waiting messages into the archive now, so that the other devices get them",
            examples: ["kachat-node flush"],
            options: [.account]),
        CommandSpec(
            "scrub", summary: "Read every stored byte again; what is damaged is fetched anew from a peer",
            examples: ["kachat-node scrub"],
            options: [.account]),
    ]
}
