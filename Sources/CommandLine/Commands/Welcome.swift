import Node

/// What a call without a command says: what the program is, and the next step in this home.
enum Welcome {
    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let home = try context.home()
        context.errors.line("kachat-node keeps your chats the same on all your devices, without a server.\n")
        context.errors.line(try nextStep(home, context.program))
        context.errors.line("`kachat-node help` shows the commands.")
        return .usage
    }

    private static func nextStep(_ home: HomeFolder, _ program: String) throws(NodeError) -> String {
        let path = Terminal.harmless(home.path)
        if try SocketLink(path: HomeSocketPath.find(home)) != nil {
            return "The node of \(path) is running. See how it is: `\(program) status`"
        }
        guard home.hasIdentity else { return "There is no node in \(path) yet. Set it up: `\(program) setup`" }
        return "The node of \(path) is not running. Start it: `\(program) run`"
    }
}
