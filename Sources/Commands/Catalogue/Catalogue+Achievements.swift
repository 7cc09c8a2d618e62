import Node

/// `achievement …`
extension Catalogue {
    package static let achievements: [CommandSpec] = [
        CommandSpec(
            "achievement import", summary: "Take over achievements from an app's JSON; nothing reached is ever lost",
            examples: ["kachat-node achievement import achievements.json"],
            places: [PlaceSpec("FILE", .text("FILE"))], options: [.account]),
        CommandSpec(
            "achievement export", summary: "Write all achievements as one JSON array, as import takes it",
            examples: ["kachat-node achievement export > achievements.json"], options: [.account]),
        CommandSpec(
            "achievement list", summary: "List the categories of achievements, or the achievements of one",
            examples: ["kachat-node achievement list", "kachat-node achievement list --category streaks --json"],
            options: [.account, OptionSpec("--category", .text("C"), help: "the achievements of this one")]),
    ]
}
