import Commands
import Node
import NodeCore
import Transport

/// `account pair`, `group invite --nearby` and `group join --nearby`: asks the running node to pair, or runs one for
/// it, and asks the user.
enum PairCommand {
    static func isMeant(_ command: ParsedCommand) -> Bool { command.name == "account pair" || command.has("--nearby") }

    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let command = context.command
        if command.has("--nearby"), command.has("TOKEN") || command.has("--qr") {
            throw NodeError(.usage, "--nearby neither takes nor makes an invitation: leave out TOKEN and --qr")
        }
        let name = try NewHome.checked(name: command.text("--name") ?? HostName.current)
        let home = try context.home()
        var request = Invocation(context.accountCommand)
        for option in ["--listen", "--discovery", "--peer"] { request.arguments[option] = nil }
        if command.name == "account pair" { request.arguments["--name"] = nil }
        do {
            let loop = try EventLoop(clock: context.clock)
            let host = try host(context, home, name: name, loop)
            defer { host?.close() }
            let client = try PairingClient(
                request, path: host?.path ?? HomeSocketPath.find(home), loop: loop, context: context)
            try loop.run()
            return client.status ?? .failed
        } catch {
            throw error as? NodeError ?? NodeError(.failed, "the node cannot be asked: \(error)")
        }
    }

    /// Nil if a node already runs.
    private static func host(
        _ context: ToolContext, _ home: HomeFolder, name: String, _ loop: EventLoop
    ) throws(NodeError) -> PairingHost? {
        guard try SocketLink(path: HomeSocketPath.find(home)) == nil else { return nil }
        if !context.command.has("--join") || context.command.name != "account pair" {
            _ = try context.initialisedHome()
        }
        guard context.command.name == "account pair" else {
            throw NodeError(.notReachable, "no node is running on \(home.path): run `\(context.program) run`")
        }
        return try PairingHost(context, home: home, name: name, loop: loop)
    }
}
