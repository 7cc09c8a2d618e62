package import Node
import NodeCore

/// What commands work on: a node, and the tokens that may give them.
package final class NodeService {
    package let node: LocalNode
    /// The tokens of the local API; changed by `changeTokens` only.
    package private(set) var tokens: TokenList
    var loginCodes = LoginCodes()
    /// Makes QR codes, if the program can.
    package var qr: QREncoder = { _ in nil }

    /// Restricts a request to one account. No command line can give this argument, since it has no dashes.
    static let onlyAccount = "only account"
    /// Set if the caller may not read chats, or groups: answers about both, such as the change feed, leave them out.
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
}
