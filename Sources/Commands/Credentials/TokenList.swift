import Glibc
package import Node
package import NodeCore

/// A home's tokens in the order of their creation.
package struct TokenList: Equatable, Sendable {
    package private(set) var tokens: [APIToken] = []

    /// The valid token with this text. Compares all tokens, so that the time reveals nothing about them.
    package func find(_ text: String, wall: WallTime) -> APIToken? {
        let hash = APIToken.hash(of: text)
        var found: APIToken?
        for token in tokens where ConstantTime.equals(token.hash, hash) { found = token }
        return found.flatMap { $0.hasExpired(wall) ? nil : $0 }
    }

    func holds(_ id: String, wall: WallTime) -> Bool { tokens.contains { $0.id == id && !$0.hasExpired(wall) } }

    package mutating func add(_ token: APIToken) throws(NodeError) {
        guard tokens.count < Limits.apiTokens else {
            throw NodeError(
                .failed,
                """
                there are \(tokens.count) tokens: revoke unused ones\
                \(advice: " (`kachat-node token revoke`)")
                """)
        }
        tokens.append(token)
    }

    /// Signs a browser in. Removes expired browsers, and the oldest if there are too many.
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

    /// Removes the token with that name or id, or whose id begins so.
    package mutating func remove(_ text: String) throws(NodeError) -> APIToken {
        let token = try Naming<APIToken>("token", list: "kachat-node token list", ids: { [$0.id] }, name: \.name)
            .find(text, in: tokens)
        tokens.removeAll { $0.id == token.id }
        return token
    }
}

extension TokenList {
    /// Reads the file; nil if it is damaged.
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
        JSONValue.object(["version": 1, "tokens": .array(tokens.map(\.stored))]).encoded + [0x0A]
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
            throw NodeError(.badSettings, "\(path) is damaged: remove it, and create new tokens for your apps")
        }
        return list
    }

    /// Replaces the file atomically.
    package static func save(_ list: TokenList, to home: HomeFolder) throws(NodeError) {
        do {
            try Files.replace(home.tokensPath, with: list.encoded)
        } catch {
            throw home.notWritable(error)
        }
    }
}
