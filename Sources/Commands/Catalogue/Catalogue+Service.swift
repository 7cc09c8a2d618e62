import Node

/// The program itself.
extension Catalogue {
    package static let service: [CommandSpec] = [
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
                    "--discovery", .discovery,
                    help: "where to look for devices: usable interfaces, loopback, nowhere, or the named ones"),
                OptionSpec(
                    "--api", .api,
                    help: "loopback address of the local API (default 127.0.0.1 and the setting api.port)"),
                OptionSpec("--peer", .peer, repeatable: true, help: "a device that beacons do not reach"),
                OptionSpec(
                    "--log-level", .choice("LEVEL", Log.Level.allCases.map { "\($0)" }),
                    help: "the least that the log on standard error tells: debug, info (default), warning or error"),
                OptionSpec(
                    "--log-format", .choice("FORMAT", Log.Format.allCases.map(\.rawValue)),
                    help: "text (default), or json: one object a line"),
            ]),
        CommandSpec(
            "completions", summary: "Print the script by which a shell completes commands, options and values",
            examples: [
                "kachat-node completions bash > ~/.local/share/bash-completion/completions/kachat-node",
                "kachat-node completions zsh > ~/.zfunc/_kachat-node",
                "kachat-node completions fish > ~/.config/fish/completions/kachat-node.fish",
            ],
            places: [PlaceSpec("SHELL", .choice("bash|zsh|fish", ["bash", "zsh", "fish"]))]),
        CommandSpec("version", summary: "Show the version", examples: ["kachat-node version"]),
        CommandSpec(
            "help", summary: "Show how a command is used",
            examples: ["kachat-node help", "kachat-node help message list"],
            places: [
                PlaceSpec("COMMAND", .text("COMMAND"), required: false),
                PlaceSpec("SUBCOMMAND", .text("SUBCOMMAND"), required: false),
            ], options: [OptionSpec("--man", help: "the manual page of all commands, as scdoc source")]),
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
    ]
}
