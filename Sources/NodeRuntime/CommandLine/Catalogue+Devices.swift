/// `peers` and `device …`
extension Catalogue {
    static let devices: [CommandSpec] = [
        CommandSpec(
            "peers", summary: "List the devices that the running node knows",
            examples: ["kachat-node peers"],
            options: [.account])
    ]
}
