import Node

extension Catalogue {
    package static let settings: [CommandSpec] = [
        CommandSpec(
            "config check", summary: "Say whether the settings are understood, without a node, and where they are not",
            examples: ["kachat-node config check", "kachat-node config check new-config.json"],
            places: [PlaceSpec("FILE", .text("FILE"), required: false)])
    ]
}
