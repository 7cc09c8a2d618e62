import Node

/// `init` and `account phrase`
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
            "account phrase", summary: "Show the recovery phrase: who has it has the account",
            examples: ["kachat-node account phrase", "kachat-node account phrase --confirm"],
            options: [
                .account,
                OptionSpec(
                    "--confirm", help: "ask for three of its words, to know that it is written down; shows nothing"),
                OptionSpec("--confirmed", help: "take your word for it that it is written down; shows nothing"),
            ]),
    ]

    private static let secret = [
        AccountImportOperation.phraseFile.spec, AccountImportOperation.walletKey.spec,
        AccountImportOperation.version.spec,
    ]
}
