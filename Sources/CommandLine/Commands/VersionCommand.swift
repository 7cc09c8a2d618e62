/// `version`
package enum VersionCommand {
    /// The program's version.
    package static let version = "0.1.0"

    static func run(_ context: ToolContext) -> ExitStatus {
        if context.command.isJSON {
            context.output.bufferedLine(JSONValue.object(["version": .string(version)]).encoded)
        } else {
            context.output.line("kachat-node \(version)")
        }
        return .done
    }
}
