package import Node
import NodeCore
package import Transport

/// A node as those meet it who ask it something: its commands, and who may give them.
package final class NodeService {
    package let node: LocalNode
    /// Who may use the local API; changed by `changeTokens` only.
    package private(set) var tokens: TokenList
    /// Of links to the dashboard.
    var loginCodes = LoginCodes()
    /// Makes QR codes, where the program can.
    package var qr: QREncoder = { _ in nil }

    /// Where a request may look at one account only: an argument that no command line can give, since it has no dashes.
    static let onlyAccount = "only account"
    /// Where a request may look at groups and not at chats: the same for the change feed.
    static let withoutChats = "without chats"

    package init(_ node: LocalNode) throws(NodeError) {
        self.node = node
        tokens = try TokenFile.load(from: node.home)
    }

    /// Changes the tokens, in the file first.
    func changeTokens<Result>(
        _ change: (inout TokenList) throws(NodeError) -> Result
    ) throws(NodeError) -> Result {
        var changed = tokens
        let result = try change(&changed)
        if changed != tokens { try TokenFile.save(changed, to: node.home) }
        tokens = changed
        return result
    }

    /// For one command.
    package func makeSession(_ request: Invocation) -> CommandSession {
        let session = CommandSession(request) { [self] request throws(NodeError) in
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
    /// What a user got wrong is no trouble of the node's.
    fileprivate func note(_ error: NodeError) {
        guard ![.usage, .notFound, .badInput].contains(error.code) else { return }
        errors.note(error.code.rawValue, at: clock.wall())
    }
}

/// Makes the server of a program; modules that embed a node without its HTTP API have none.
package typealias HTTPServerMaker =
    @Sendable (_ loop: EventLoop, _ responder: any HTTPResponder) throws(NodeError) -> any HTTPServer
