import Node
import NodeCore
import NodeModel
import SyncState

/// `token …`
extension Command {
    static let tokens: [Command] = [tokenCreate, tokenList, tokenRevoke]

    static let tokenCreate: Command = {
        let scopes = Parameter.text("--scope", .form("S[,S]", .scopes), "of \(APIScope.names)").required
        let name = Parameter.text(
            "--name", .line("N", bytes: Node.Limits.labelBytes), "what it is for, as `token list` shows")
        let days = Parameter.number("--expires", "DAYS", 1...3650, "days after which it expires")
        return Command(
            "token create", "Make a token for an app: what it may do with the local API",
            examples: [
                "kachat-node token create --scope chat:read",
                "kachat-node token create --scope chat:read,chat:write --account work --name chatapp --expires 90",
            ],
            takes: [scopes, account, name, days], on: .node,
            at: [
                Endpoint(
                    "createToken", .post, "/v1/tokens", .home,
                    "Make a token for an app: what it may do with the local API",
                    takes: [
                        scopes.requested(help: "of \(APIScope.names), with commas"),
                        account.requested(help: "the only account that it is good for; without, all of them"), name,
                        days,
                    ], answer: .object(MadeToken.self, shows: TokenText.made))
            ]
        ) { call throws(NodeError) in
            let scopes = try APIScope.list(try call.need(scopes))
            var only: AccountID?
            if let given = call[account] {
                guard let index = try call.node.names.index(named: given) else { throw AccountNames.none }
                only = call.node.names.entries[index].id
            }
            return reading { [only] in
                var random = SystemRandom()
                let text = APIToken.text(random: &random)
                let now = call.clock.wall()
                let token = APIToken(
                    id: Hex.encode(random.bytes(4)), name: call[name], hash: APIToken.hash(of: text), scopes: scopes,
                    account: only, createdAt: now, expiresAt: call[days].map { now + .seconds(Int64($0) * 86_400) })
                try call.service.changeTokens { list throws(NodeError) in try list.add(token) }
                var made = MadeToken()
                (made.made, made.token) = (Token(token), text)
                return made
            }
        }
    }()

    static let tokenList = Command(
        "token list", "List the tokens that were given out; their text is not kept",
        examples: ["kachat-node token list"], on: .node,
        at: [
            Endpoint(
                "tokens", .get, "/v1/tokens", .home, "The tokens that were given out; their text is not kept",
                answer: .list(of: Token.self, shows: TokenText.line))
        ]
    ) { call throws(NodeError) in listing { call.service.tokens.tokens.map { Token($0) } } }

    static let tokenRevoke: Command = {
        let id = Parameter.text("ID", .text("ID"))
        let revoked = Answer.object(Token.self) { token, output in
            output.line("Token \(token.id) is good for nothing any more.")
        }
        return Command(
            "token revoke", "Revoke a token, at once", examples: ["kachat-node token revoke 1f2e3d4c"],
            takes: [id], on: .node,
            at: [
                Endpoint(
                    "revokeAnyToken", .delete, "/v1/tokens/{id}", .home, "Revoke a token, at once",
                    takes: [id.requested(help: "its id, or the beginning of it")], answer: revoked),
                Endpoint(
                    "revokeToken", .delete, "/v1/token", .anyToken,
                    "Give up the token that this request shows; the dashboard signs out by it", answer: revoked),
            ]
        ) { call throws(NodeError) in
            let id = try call.need(id)
            return reading {
                Token(try call.service.changeTokens { list throws(NodeError) in try list.remove(id) })
            }
        }
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

/// How tokens look on a terminal.
private enum TokenText {
    @Sendable static func made(_ made: MadeToken, _ output: Output) {
        output.line(made.token)
        output.line("It is shown this once. `kachat-node token revoke \(made.made.id)` ends it.")
    }

    @Sendable static func line(_ token: Token, _ output: Output) {
        let account = token.accountId.map { "account \($0.prefix(8))" } ?? "all accounts"
        let end = token.expiresAt.map { "until \(CivilTime(milliseconds: Int64($0)).text)" } ?? "for ever"
        let name = token.name.map { "  " + Terminal.harmless($0) } ?? ""
        output.line("\(token.id)  \(token.scopes.joined(separator: ","))  \(account)  \(end)\(name)")
    }
}
