import Commands
import Node
import NodeCore

/// `config check`: validates the settings. It needs neither an identity nor a node, and changes nothing.
enum ConfigCheckCommand {
    static let spec = CommandSpec(
        "config check", summary: "Validate the configuration file",
        examples: ["", "new-config.json"],
        parameters: [ParameterSpec("FILE", .text("FILE"), required: false)])

    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let home = try context.home()
        let path = context.command.text("FILE").map(Files.absolute) ?? home.settingsPath
        guard context.command.text("FILE") == nil || Files.exists(path) else {
            throw NodeError(.notFound, "there is no file \(path)")
        }
        var settings = try SettingsFile.load(path: path)
        try settings.take(context.environment)
        let answer: JSONValue = [
            "ok": true, "file": .string(path), "exists": .bool(Files.exists(path)),
            "set": .number(settings.given.count),
            "variables": .array(settings.overrides.keys.map(\.variable).sorted().map { .string($0) }),
            "unknownVariables": .array(unknown(context.environment).map { .string($0) }),
        ]
        context.show(answer) {
            let words = Files.exists(path) ? "\(Wording.count(settings.given.count, "setting"))" : "no file"
            context.output.line("\(path): \(words), all within bounds.")
            for key in SettingKey.allCases where settings.overrides[key] != nil {
                context.output.line("\(key.variable) overrides \(key.rawValue).")
            }
        }
        for name in unknown(context.environment) {
            let meant = EditDistance.suggestion(for: name, in: known)
            context.errors.complaint("the variable \(name) belongs to no setting\(meant)")
        }
        return .done
    }

    private static let known = SettingKey.allCases.map(\.variable) + ["KACHAT_HOME", "KACHAT_ACCOUNT"]

    private static func unknown(_ environment: Environment) -> [String] {
        environment.values.keys.filter { $0.hasPrefix(Environment.prefix) && !known.contains($0) }.sorted()
    }
}
