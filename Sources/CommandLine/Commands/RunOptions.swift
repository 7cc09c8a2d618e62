import Commands
import Node

/// The options of `run`: from the command line, else the environment, else the settings.
struct RunOptions {
    let discovery: DiscoveryMode
    let listen: String?
    let api: String?
    let peers: [String]
    let level: Log.Level
    let format: Log.Format

    init(_ command: ParsedCommand, _ settings: NodeSettings) throws(NodeError) {
        discovery = try DiscoveryMode(
            command.text("--discovery") ?? settings.value(.networkDiscovery).text ?? "auto")
        listen = command.text("--listen") ?? settings.value(.networkListen).text
        api = command.text("--api")
        peers = command.has("--peer") ? command.texts("--peer") : settings.peers
        let level = command.text("--log-level") ?? settings.value(.logLevel).text
        self.level = Log.Level.allCases.first { "\($0)" == level } ?? .info
        let format = command.text("--log-format") ?? settings.value(.logFormat).text
        self.format = format.flatMap(Log.Format.init) ?? .text
    }

    func log(_ context: ToolContext) -> Log {
        Log(
            output: context.errors, least: level, format: format,
            isJournal: context.errors.isJournal(context.environment), clock: context.clock)
    }
}
