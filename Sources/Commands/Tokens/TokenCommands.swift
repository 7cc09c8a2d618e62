import Node
import NodeCore
import NodeModel
import SyncState

/// `token …`
extension Command {
    static let tokens: [Command] = [tokenCreate, tokenList, tokenRevoke]

    static let tokenCreate: Command = {
        let scopes = Parameter.text("--scope", .form("S[,S]", .scopes), "some of \(APIScope.names)").required
        let name = Parameter.text(
            "--name", .line("N", bytes: Node.Limits.labelBytes), "a name, which `token list` shows")
        let expires = Parameter.text(
            "--expires", .form("90d", .lifetime), "its lifetime, such as 12h or 90d, or never (default: never)"
        ).requested(.value(.number("DAYS", 1...3650)), help: "days until it expires")
        return Command(
            "token create", "Create an app's token for the local API, with its scopes",
            examples: [
                "--scope chat:read", "--scope chat:read,chat:write --account work --name chatapp --expires 90d",
            ],
            takes: [scopes, account, name, expires], on: .node,
            at: Endpoint(
                "createToken", .post, "/v1/tokens", .owner,
                takes: [
                    scopes.requested(help: "some of \(APIScope.names), separated by commas"),
                    account.requested(help: "the only account it gives access to (default: all)"),
                    name.requested(help: "a name, by which the user knows it"), expires,
                ], answer: .object(MadeToken.self)),
            begin: reading { call in
                var only: AccountID?
                if let given = call[account] {
                    guard let index = try call.named(account, { try call.node.names.index(named: given) }) else {
                        throw AccountNames.none
                    }
                    only = call.node.names.entries[index].id
                }
                // Requests give days as a number.
                let lifetime = call[expires].flatMap { $0 == "never" ? nil : Int($0) == nil ? $0 : $0 + "d" }
                var random = SystemRandom()
                let text = APIToken.text(random: &random)
                let now = call.clock.wall()
                let token = APIToken(
                    id: Hex.encode(random.bytes(4)), name: call[name], hash: APIToken.hash(of: text),
                    scopes: try APIScope.list(try call.need(scopes)), account: only, createdAt: now,
                    expiresAt: try lifetime.map { try Lifetime.end($0, from: now) })
                try call.service.changeTokens { list throws(NodeError) in try list.add(token) }
                return MadeToken { ($0.made, $0.token) = (Token(token), text) }
            })
    }()

    static let tokenList = Command(
        "token list", "List the tokens; their secret text is not stored", on: .node,
        at: Endpoint("tokens", .get, "/v1/tokens", .owner, answer: .list(of: Token.self, as: TokenText.list)),
        begin: listing { call in call.service.tokens.tokens.map { Token($0) } })

    static let tokenRevoke: Command = {
        let id = Parameter.text("TOKEN", .text("TOKEN"), "its name, its id, or the beginning of the id").named("id")
        let revoked = Answer.object(Token.self) { token, output in output.line("Token \(token.id) revoked.") }
        return Command(
            "token revoke", "Revoke a token immediately", examples: ["chatapp", "1f2e3d4c"], takes: [id], on: .node,
            at: [
                Endpoint(
                    "revokeAnyToken", .delete, "/v1/tokens/{id}", .owner,
                    takes: [id.requested(.pattern("^[0-9a-f]{8}$"), help: "the token's full id")], answer: revoked),
                Endpoint(
                    "revokeToken", .delete, "/v1/token", .anyToken,
                    "Revoke the token of this request; signs the dashboard out", takes: [], answer: revoked),
            ],
            begin: reading { call in
                let name = try call.need(id)
                return Token(
                    try call.named(id) {
                        try call.service.changeTokens { list throws(NodeError) in try list.remove(name) }
                    })
            })
    }()
}

extension Token {
    init(_ token: APIToken) {
        self.init()
        id = token.id
        name = token.name
        scopes = token.scopes.map(\.rawValue)
        accountId = token.account?.hex
        createdAt = Int(token.createdAt.milliseconds)
        expiresAt = token.expiresAt.map { Int($0.milliseconds) }
    }
}

private enum TokenText {
    static let list = ListColumns<Token>(
        whenEmpty: "No tokens: `kachat-node token create` makes one.",
        [
            .text("TOKEN") { $0.id }, .text("NAME", .shortened(to: 8)) { $0.name },
            .text("SCOPES", .wrapped(at: 12)) { $0.scopes.joined(separator: ", ") },
            .text("ACCOUNT") { token in token.accountId.map { String($0.prefix(8)) } ?? "all" },
            .text("EXPIRES (UTC)") { $0.expiresAt.map(Wording.minute) ?? "never" },
        ])
}
