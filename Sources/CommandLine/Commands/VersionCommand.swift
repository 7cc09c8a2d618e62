import Commands
import Node

/// `version`
enum VersionCommand {
    static func run(_ context: ToolContext) -> ExitStatus {
        if context.command.isJSON {
            context.output.bufferedLine(JSONValue.object(["version": .string(Version.current)]).encoded)
        } else {
            context.output.line("kachat-node \(Version.current)")
        }
        return .done
    }
}
