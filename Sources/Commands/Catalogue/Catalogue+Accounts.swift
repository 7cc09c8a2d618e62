import Chat
import Node
import SyncState

/// `init`, `account …`, `pause` and `resume`
extension Catalogue {
    package static let accounts: [CommandSpec] = [
        CommandSpec(
            "init", summary: "Make this device a node: of a new account, or of one whose phrase or key you have",
            examples: [
                "kachat-node init --name laptop",
                "kachat-node init --name phone --phrase-file phrase.txt",
                "kachat-node init --phrase-file - < phrase.txt",
                "kachat-node init --wallet-key key.hex",
            ],
            options: [
                OptionSpec(
                    "--name", .line("N", bytes: Node.Limits.deviceNameBytes),
                    help: "what your other devices show for this one")
            ] + secret),
        CommandSpec(
            "account list", summary: "List the accounts of this node; the first is meant where none is named",
            examples: ["kachat-node account list", "kachat-node account list --json"]),
        CommandSpec(
            "account show", summary: "Show an account: its ids, its versions, since when it is there",
            examples: ["kachat-node account show --json"],
            options: [.account]),
        CommandSpec(
            "account create", summary: "Add a new account to this node, and show its recovery phrase",
            examples: ["kachat-node account create --label work"],
            options: [label]),
        CommandSpec(
            "account import", summary: "Add an account whose phrase or wallet key you have to this node",
            examples: [
                "kachat-node account import --phrase-file phrase.txt --label work",
                "kachat-node account import --wallet-key key.hex",
            ],
            options: [label] + secret),
        CommandSpec(
            "account phrase", summary: "Show the recovery phrase: who has it has the account",
            examples: ["kachat-node account phrase", "kachat-node account phrase --confirm"],
            options: [
                .account,
                OptionSpec(
                    "--confirm", help: "ask for three of its words, to know that it is written down; shows nothing"),
                OptionSpec("--confirmed", help: "take your word for it that it is written down; shows nothing"),
            ]),
        CommandSpec(
            "account label", summary: "Call an account something else",
            examples: ["kachat-node account label private --account main"],
            places: [PlaceSpec("LABEL", .line("LABEL", bytes: Node.Limits.labelBytes))], options: [.account]),
        CommandSpec(
            "account default", summary: "Make it the account that is meant where none is named",
            examples: ["kachat-node account default work"],
            places: [PlaceSpec("ACCOUNT", .text("ACCOUNT"))]),
        CommandSpec(
            "account remove", summary: "Take an account off this device: its messages, its keys, its phrase",
            examples: ["kachat-node account remove work", "kachat-node account remove work --yes"],
            places: [PlaceSpec("ACCOUNT", .text("ACCOUNT"))],
            options: [OptionSpec("--yes", help: "do not ask")]),
        CommandSpec(
            "account pause", summary: "Send and fetch nothing for an account until it is resumed; local work goes on",
            examples: ["kachat-node account pause --account work"],
            options: [.account, by]),
        CommandSpec(
            "account resume", summary: "End the pause of an account",
            examples: ["kachat-node account resume --account work"],
            options: [.account]),
        CommandSpec(
            "account rotate-sync-key", summary: "Go over to new keys: who only has the old ones is left out",
            examples: ["kachat-node account rotate-sync-key", "kachat-node account rotate-sync-key --version 30"],
            options: [
                .account,
                OptionSpec("--version", version, help: "the version that another device shows, to catch up with it"),
            ]),
        CommandSpec(
            "pause", summary: "Send and fetch nothing for any account until it is resumed; local work goes on",
            examples: ["kachat-node pause"],
            options: [by]),
        CommandSpec("resume", summary: "End the pause of all accounts", examples: ["kachat-node resume"]),
    ]

    private static let label = OptionSpec(
        "--label", .line("L", bytes: Node.Limits.labelBytes),
        help: "what you call it on this device (default: main, then account 2 and so on)")
    private static let by = OptionSpec(
        "--by", .line("WHO", bytes: SyncState.Limits.pausedByBytes),
        help: "who wants it, as `status` shows (default: you)")
    private static let version = ValueKind.number("V", 1...Chat.Limits.syncKeyVersion)
    private static let secret = [
        OptionSpec("--phrase-file", .text("F"), help: "file with the 12 or 24 words; - is standard input"),
        OptionSpec("--wallet-key", .text("FILE"), help: "file with a wallet's key, 64 hexadecimal digits; - as above"),
        OptionSpec(
            "--sync-key-version", version,
            help: "of the keys to begin with, as `account show` tells elsewhere: after more than 16 rotations"),
    ]
}
