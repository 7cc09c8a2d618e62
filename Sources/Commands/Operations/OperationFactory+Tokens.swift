import Node
import NodeCore
import SyncState

/// `token …`
extension OperationFactory {
    func tokenOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        switch request.command {
        case "token create": return try createToken(request)
        case "token list":
            return ImmediateOperation { [service] reply, _ in
                for token in service.tokens.tokens { reply.data(token.json) }
            }
        case "token revoke":
            return ImmediateOperation { [service] reply, _ in
                let token = try service.changeTokens { list throws(NodeError) in
                    try list.remove(request.text("ID") ?? "")
                }
                reply.data(token.json)
            }
        default: return nil
        }
    }

    private func createToken(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let scopes = try APIScope.list(request.text("--scope") ?? "")
        let name = request.text("--name")
        guard
            name.map({ $0.utf8.count <= Node.Limits.labelBytes && !$0.unicodeScalars.contains { $0.value < 0x20 } })
                ?? true
        else { throw NodeError(.usage, "--name must be one line of at most \(Node.Limits.labelBytes) bytes") }
        var account: AccountID?
        if let given = request.text(OptionSpec.account.name) {
            guard let index = try node.names.index(named: given) else { throw AccountNames.none }
            account = node.names.entries[index].id
        }
        return ImmediateOperation { [node, account] reply, _ in
            var random = SystemRandom()
            let text = APIToken.text(random: &random)
            let now = node.clock.wall()
            let token = APIToken(
                id: Hex.encode(random.bytes(4)), name: name, hash: APIToken.hash(of: text), scopes: scopes,
                account: account, createdAt: now,
                expiresAt: request.number("--expires").map { now + .seconds(Int64($0) * 86_400) })
            try service.changeTokens { list throws(NodeError) in try list.add(token) }
            guard case .object(var fields) = token.json else { return }
            fields["token"] = .string(text)
            reply.data(.object(fields))
        }
    }
}
