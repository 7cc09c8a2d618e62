import Node
import NodeCore

/// Commands that belong together: one file each, and one tag of the OpenAPI document.
struct CommandFamily: Sendable {
    let name: String
    let about: String
    let commands: [Command]
}

extension CommandFamily {
    /// All families in the order of the help.
    static let all = [
        CommandFamily(name: "accounts", about: "The user's accounts", commands: Command.accounts),
        CommandFamily(
            name: "pairing", about: "Handing an account to another device in the room", commands: Command.pairing),
        CommandFamily(name: "data", about: "Import, export, archiving, checking", commands: Command.data),
        CommandFamily(
            name: "messages", about: "Messages, their place in the chain, search", commands: Command.messages),
        CommandFamily(
            name: "conversations", about: "Conversations and their read positions", commands: Command.conversations),
        CommandFamily(name: "devices", about: "The account's devices", commands: Command.devices),
        CommandFamily(name: "groups", about: "Groups, members, invitations", commands: Command.groups),
        CommandFamily(name: "scores", about: "Games and results", commands: Command.scores),
        CommandFamily(name: "leaderboards", about: "Standings", commands: Command.leaderboards),
        CommandFamily(name: "achievements", about: "The user's achievements", commands: Command.achievements),
        CommandFamily(name: "syncing", about: "Syncing, the change feed, notices", commands: Command.syncing),
        CommandFamily(name: "node", about: "Status of the node and its data", commands: Command.standing),
        CommandFamily(name: "settings", about: "Settings", commands: Command.settings),
        CommandFamily(name: "tokens", about: "Tokens of the API", commands: Command.tokens),
        CommandFamily(name: "dashboard", about: "The dashboard", commands: [Command.dashboard]),
    ]
}

extension Command {
    /// All commands of a node in the order of the help.
    package static let all: [Command] = CommandFamily.all.flatMap(\.commands)

    package static func named(_ name: String) -> Command? { byName[name] }
    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
}

extension NodeService {
    /// Begins the command that the request names.
    package func makeSession(_ request: Invocation) -> CommandSession {
        let session = CommandSession(request) { [self] request in
            guard let command = Command.named(request.command) else {
                throw NodeError(.usage, "the node knows no command `\(request.command)`")
            }
            return try command.task(Call(service: self, request: request))
        }
        session.didFail = { [weak node] error in node?.note(error) }
        session.program = node.program
        return session
    }
}

extension LocalNode {
    /// Counts the error, unless the user caused it.
    fileprivate func note(_ error: NodeError) {
        guard ![.usage, .notFound, .badInput].contains(error.code) else { return }
        errors.note(error.code.rawValue, at: clock.wall())
    }
}
