package import Node
import NodeCore
package import Transport

/// A node's commands, and the tokens that may give them.
package final class NodeService {
    package let node: LocalNode
    /// The tokens of the local API; changed by `changeTokens` only.
    package private(set) var tokens: TokenList
    var loginCodes = LoginCodes()
    /// Makes QR codes, if the program can.
    package var qr: QREncoder = { _ in nil }

    /// Restricts a request to one account. No command line can give this argument, since it has no dashes.
    static let onlyAccount = "only account"
    /// Restricts a request for the change feed or for notices to groups, or to chats, likewise.
    static let withoutChats = "without chats"
    static let withoutGroups = "without groups"

    package init(_ node: LocalNode) throws(NodeError) {
        self.node = node
        tokens = try TokenFile.load(from: node.home)
    }

    /// Changes the tokens in the file, then in memory.
    func changeTokens<Result>(_ change: (inout TokenList) throws(NodeError) -> Result) throws(NodeError) -> Result {
        var changed = tokens
        let result = try change(&changed)
        if changed != tokens { try TokenFile.save(changed, to: node.home) }
        tokens = changed
        return result
    }

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

/// Makes a program's HTTP server; a program that embeds a node without its HTTP API has none.
package typealias HTTPServerMaker =
    @Sendable (_ loop: EventLoop, _ responder: any HTTPResponder) throws(NodeError) -> any HTTPServer
