import Glibc
package import Node
package import NodeCore

/// The tokens that a home has given out, in the order in which they were made.
package struct TokenList: Equatable, Sendable {
    package private(set) var tokens: [APIToken] = []

    /// The token that this text is. Each one is looked at, so that the time says nothing of them.
    package func find(_ text: String, wall: WallTime) -> APIToken? {
        let hash = APIToken.hash(of: text)
        var found: APIToken?
        for token in tokens where ConstantTime.equals(token.hash, hash) { found = token }
        return found.flatMap { $0.hasExpired(wall) ? nil : $0 }
    }

    func holds(_ id: String, wall: WallTime) -> Bool {
        tokens.contains { $0.id == id && !$0.hasExpired(wall) }
    }

    package mutating func add(_ token: APIToken) throws(NodeError) {
        guard tokens.count < Limits.apiTokens else {
            throw NodeError(
                .failed,
                """
                there are \(tokens.count) tokens: revoke those that are not used\
                \(advice: " (`kachat-node token revoke`)")
                """)
        }
        tokens.append(token)
    }

    /// Lets a browser in. Those whose time is over go, and of too many the oldest.
    package mutating func add(dashboard secret: DashboardSecret, id: String, wall: WallTime) throws(NodeError) {
        tokens.removeAll { $0.isDashboard && $0.hasExpired(wall) }
        let browsers = tokens.filter(\.isDashboard)
        let surplus = Set(browsers.dropLast(Limits.dashboardSessions - 1).map(\.id))
        tokens.removeAll { surplus.contains($0.id) }
        try add(
            APIToken(
                id: id, name: "dashboard", hash: APIToken.hash(of: secret.text), scopes: [.admin], account: nil,
                createdAt: wall, expiresAt: wall + .seconds(Limits.dashboardSessionDays * 86_400), isDashboard: true))
    }

    /// Takes away the one whose id begins so.
    package mutating func remove(_ id: String) throws(NodeError) -> APIToken {
        let found = tokens.filter { $0.id.hasPrefix(id.lowercased()) }
        guard let token = found.first else {
            throw NodeError(
                .notFound, "no token's id begins with `\(id)`\(advice: "; see `kachat-node token list`")")
        }
        guard found.count == 1 else {
            throw NodeError(.usage, "several tokens' ids begin with `\(id)`; give more of it")
        }
        tokens.removeAll { $0.id == token.id }
        return token
    }

    /// Those of an account that is there no longer.
    package mutating func removeAll(of account: AccountID) { tokens.removeAll { $0.account == account } }
}

extension TokenList {
    /// What the file says; nil where it is not understood.
    init?(json bytes: [UInt8]) {
        guard let value = JSONValue(json: bytes), value["version"]?.integer == 1,
            case .array(let list)? = value["tokens"]
        else { return nil }
        for stored in list {
            guard let token = APIToken(stored: stored) else { return nil }
            tokens.append(token)
        }
    }

    package var encoded: [UInt8] {
        JSONValue.object(["version": .int(1), "tokens": .array(tokens.map(\.stored))]).encoded + [0x0A]
    }
}

/// Reads and writes `tokens.json` of a home.
package enum TokenFile {
    package static func load(from home: HomeFolder) throws(NodeError) -> TokenList {
        let path = home.tokensPath
        let bytes: [UInt8]
        do {
            bytes = try FileDescriptor(path: path, flags: O_RDONLY).readAll(limit: Limits.tokenFileBytes)
        } catch  where error.number == ENOENT {
            return TokenList()
        } catch {
            throw NodeError(.badSettings, "cannot read \(path): \(error.reason)")
        }
        guard let list = TokenList(json: bytes) else {
            throw NodeError(.badSettings, "\(path) is damaged: remove it, and give the apps new tokens")
        }
        return list
    }

    /// Writes it whole or not at all.
    package static func save(_ list: TokenList, to home: HomeFolder) throws(NodeError) {
        do {
            try Files.replace(home.tokensPath, with: list.encoded)
        } catch {
            throw home.notWritable(error)
        }
    }
}
