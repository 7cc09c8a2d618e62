import JSONLines
package import Node
package import NodeCore
import NodeModel
import SyncState

/// The stored part of a token: enough to recognise it, not enough to use it.
package struct APIToken: Equatable, Sendable {
    /// Eight hexadecimal digits.
    package let id: String
    package let name: String?
    package let hash: Bytes32
    package let scopes: [APIScope]
    /// The only account it gives access to; nil for all.
    package let account: AccountID?
    package let createdAt: WallTime
    let expiresAt: WallTime?
    /// True for a browser that opened the dashboard.
    var isDashboard = false

    func allows(_ scope: APIScope) -> Bool { scopes.contains(scope) || scopes.contains(.admin) }

    func hasExpired(_ wall: WallTime) -> Bool { expiresAt.map { $0 <= wall } ?? false }

    /// Makes tokens easy to find in a text, such as a log that must not contain any.
    package static let prefix = "kachat_"

    /// A new token's text: 32 random bytes in base64url (RFC 4648 §5), without padding.
    package static func text(random: inout some RandomSource) -> String {
        prefix + Base64.encodeForURL(random.bytes(32))
    }

    package static func hash(of text: String) -> Bytes32 { Blake2b.hash32(Array(text.utf8), domain: "kachat token") }
}

extension APIToken {
    /// Reads the form in the file.
    init?(stored value: JSONValue) {
        guard let id = value["id"]?.text, let hash = value["hash"]?.text.flatMap({ Hex.decode($0) }),
            let hash = Bytes32(bytes: hash), let createdAt = value["createdAt"]?.integer
        else { return nil }
        let scopes = (value["scopes"]?.elements ?? []).compactMap { $0.text.flatMap(APIScope.init) }
        let account = value["accountId"]?.text
        guard !scopes.isEmpty, account == nil || AccountID(hex: account ?? "") != nil else { return nil }
        self.init(
            id: id, name: value["name"]?.text, hash: hash, scopes: scopes,
            account: account.flatMap { AccountID(hex: $0) }, createdAt: WallTime(milliseconds: createdAt),
            expiresAt: value["expiresAt"]?.integer.map { WallTime(milliseconds: $0) },
            isDashboard: value["dashboard"]?.boolean ?? false)
    }

    var stored: JSONValue {
        var fields = Token(self).jsonFields
        fields["hash"] = .string(Hex.encode(hash.bytes))
        if isDashboard { fields["dashboard"] = true }
        return .object(fields)
    }
}
