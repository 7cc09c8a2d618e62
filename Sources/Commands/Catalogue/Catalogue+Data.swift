import Node

/// Data that comes in or goes out as a whole, and how it is stored.
extension Catalogue {
    package static let data: [CommandSpec] = [
        CommandSpec(
            "import",
            summary: "Take in messages from lines of JSON or an archive; what is here already is not added twice",
            examples: [
                "kachat-node import chat.jsonl",
                "kachat-node import chat.kachat",
                "kachat-node import chat.jsonl --device phone",
                "zcat chat.jsonl.gz | kachat-node import -",
            ],
            places: [PlaceSpec("FILE", .text("FILE"))],
            options: [
                .account, OptionSpec("--device", .text("NAME"), help: "only the lines that this device has written"),
                OptionSpec(
                    "--placeholder-text", .text("T"),
                    help: "what an old app wrote where it lacked the body (default: the setting placeholder.text)"),
                OptionSpec("--partial", help: "of a damaged archive the parts that are whole"),
                OptionSpec("--force", help: "an archive of another account too"),
            ]),
        CommandSpec(
            "export",
            summary:
                "Write all messages to standard output, one JSON object a line, or all of an account to an archive",
            examples: ["kachat-node export > chat.jsonl", "kachat-node export --archive chat.kachat"],
            options: [
                .account,
                OptionSpec(
                    "--archive", .text("FILE"),
                    help: "one compressed file with checksums: all of the account, not encrypted"),
                OptionSpec(
                    "--state",
                    help: "behind the messages lines of titles, flags, read positions and deletions, as in an archive"),
                OptionSpec("--force", help: "replace the file that is there"),
            ]),
        CommandSpec(
            "backup", summary: "Copy the whole home into one file, while the node runs",
            examples: [
                "kachat-node backup /media/stick/phone.backup", "kachat-node backup --without-keys phone.backup",
            ],
            places: [PlaceSpec("FILE", .text("FILE"))],
            options: [
                OptionSpec("--without-keys", help: "leave the keys out: who restores it needs the phrases"),
                OptionSpec("--force", help: "replace the file that is there"),
            ]),
        CommandSpec(
            "restore", summary: "Make a new home of a backup; it goes on as a new device of the same accounts",
            examples: [
                "kachat-node restore phone.backup --home new",
                "kachat-node restore phone.backup --phrase-file phrases.txt --name tablet",
            ],
            places: [PlaceSpec("FILE", .text("FILE"))],
            options: [
                OptionSpec(
                    "--phrase-file", .text("F"),
                    help: "phrases of a backup without keys, one a line; - is standard input"),
                OptionSpec(
                    "--name", .line("N", bytes: Node.Limits.deviceNameBytes),
                    help: "what your other devices show for this one"),
            ]),
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
