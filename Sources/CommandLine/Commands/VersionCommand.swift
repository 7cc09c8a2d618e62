import Commands
import Node

/// `version`
enum VersionCommand {
    static let spec = CommandSpec("version", summary: "Show the version", examples: ["kachat-node version"])

    static func run(_ context: ToolContext) -> ExitStatus {
        if context.command.isJSON {
            context.output.bufferedLine(JSONValue.object(["version": .string(Version.current)]).encoded)
        } else {
            context.output.line("kachat-node \(Version.current)")
        }
        return .done
    }
}
