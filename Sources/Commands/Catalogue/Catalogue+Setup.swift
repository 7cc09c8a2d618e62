import Node

extension Catalogue {
    package static let setup: [CommandSpec] = [
        CommandSpec(
            "setup", summary: "Set this device up: three questions, or flags where there is no terminal",
            examples: [
                "kachat-node setup",
                "kachat-node setup --account new --name laptop --start-at-login yes",
                "kachat-node setup --account pair --name phone",
                "kachat-node setup --account phrase --phrase-file phrase.txt --name phone",
            ],
            options: [
                OptionSpec(
                    "--account", .choice("new|pair|phrase", ["new", "pair", "phrase"]),
                    help: "a new one, that of another device in the room, or that of a recovery phrase"),
                OptionSpec("--name", .text("N"), help: "what your other devices show for this one"),
                OptionSpec(
                    "--start-at-login", .choice("yes|no", ["yes", "no"]),
                    help: "enable the systemd user unit (default without a terminal: no)"),
                OptionSpec("--phrase-file", .text("F"), help: "with --account phrase; - is standard input"),
                PairingOperation.timeout.spec,
            ] + PairingNetwork.options)
    ]
}
