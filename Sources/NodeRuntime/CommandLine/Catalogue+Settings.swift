/// `config …`
extension Catalogue {
    static let settings: [CommandSpec] = [
        CommandSpec(
            "config list", summary: "List the settings, with what they are normally",
            examples: ["kachat-node config list"]),
        CommandSpec(
            "config get", summary: "Show a setting",
            examples: ["kachat-node config get archive.ageSeconds"],
            places: [PlaceSpec("KEY", .text("KEY"))]),
        CommandSpec(
            "config set", summary: "Change a setting; a running node goes by it at once",
            examples: ["kachat-node config set archive.ageSeconds 60"],
            places: [PlaceSpec("KEY", .text("KEY")), PlaceSpec("VALUE", .text("VALUE"))]),
        CommandSpec(
            "config unset", summary: "Make a setting what it is normally",
            examples: ["kachat-node config unset archive.ageSeconds"],
            places: [PlaceSpec("KEY", .text("KEY"))]),
    ]
}
