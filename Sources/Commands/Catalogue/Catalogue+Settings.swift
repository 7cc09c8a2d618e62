import Node

/// `config …`
extension Catalogue {
    package static let settings: [CommandSpec] = [
        CommandSpec(
            "config list", summary: "List the settings, with what they are normally",
            examples: ["kachat-node config list"]),
        CommandSpec(
            "config get", summary: "Show a setting",
            examples: ["kachat-node config get archive.ageSeconds"],
            places: [key]),
        CommandSpec(
            "config set", summary: "Change a setting; a running node goes by it at once",
            examples: ["kachat-node config set archive.ageSeconds 60"],
            places: [key, PlaceSpec("VALUE", .text("VALUE"))]),
        CommandSpec(
            "config check", summary: "Say whether the settings are understood, without a node, and where they are not",
            examples: ["kachat-node config check", "kachat-node config check new-config.json"],
            places: [PlaceSpec("FILE", .text("FILE"), required: false)]),
        CommandSpec(
            "config unset", summary: "Make a setting what it is normally",
            examples: ["kachat-node config unset archive.ageSeconds"],
            places: [key]),
    ]

    private static let key = PlaceSpec("KEY", .choice("KEY", SettingKey.allCases.map(\.rawValue)))
}
