/// The program itself.
extension Catalogue {
    static let service: [CommandSpec] = [
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
                OptionSpec(
                    "--api", .text("HOST:PORT|off"),
                    help: "loopback address of the local API (default 127.0.0.1 and the setting api.port)"),
                OptionSpec("--peer", .peer, repeatable: true, help: "a device that beacons do not reach"),
            ]),
        CommandSpec("version", summary: "Show the version", examples: ["kachat-node version"]),
        CommandSpec(
            "help", summary: "Show how a command is used",
            examples: ["kachat-node help", "kachat-node help message list"],
            places: [
                PlaceSpec("COMMAND", .text("COMMAND"), required: false),
                PlaceSpec("SUBCOMMAND", .text("SUBCOMMAND"), required: false),
            ]),
    ]
}
