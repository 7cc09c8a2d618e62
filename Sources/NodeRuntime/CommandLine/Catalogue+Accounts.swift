/// `init` and `account …`
extension Catalogue {
    static let accounts: [CommandSpec] = [
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
            examples: ["kachat-node account show --json"],
            options: [.account]),
        CommandSpec(
            "account phrase", summary: "Show the recovery phrase: who has it has the account",
            examples: ["kachat-node account phrase"],
            options: [.account]),
    ]
}
