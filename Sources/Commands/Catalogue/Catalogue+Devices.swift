import Node

/// `peers` and `device …`
extension Catalogue {
    package static let devices: [CommandSpec] = [
        CommandSpec(
            "peers", summary: "List the devices that the running node knows",
            examples: ["kachat-node peers"],
            options: [.account]),
        CommandSpec(
            "device list", summary: "List the account's devices: when each was there, and up to when it has everything",
            examples: ["kachat-node device list", "kachat-node device list --json"],
            options: [.account]),
        CommandSpec(
            "device rename", summary: "Give a device another name, for all your devices to see",
            examples: ["kachat-node device rename laptop", "kachat-node device rename tablet --device 9f02aa31"],
            places: [PlaceSpec("NAME", .line("NAME", bytes: Node.Limits.deviceNameBytes))],
            options: [
                .account,
                OptionSpec("--device", .text("ID"), help: "another device of the account; it need not be in reach"),
            ]),
        CommandSpec(
            "device address", summary: "Show where other devices reach this one, for `--peer` on a new device",
            examples: ["kachat-node device address", "kachat-node device address --qr address.svg"],
            options: [
                OptionSpec("--qr", .text("FILE"), help: "write the QR code to FILE, which ends in .svg or .png")
            ]),
        CommandSpec(
            "device forget", summary: "Let a device go that does not come back; its messages stay",
            examples: ["kachat-node device forget 9f02"],
            places: [PlaceSpec("ID", .text("ID"))],
            options: [.account]),
    ]
}
