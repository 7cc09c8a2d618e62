package import NodeCore

/// The credentials of a signed-in browser: a cookie that no script can read, and a key that only pages of this address
/// can read, since they store it and send it as a header. A browser sends cookies to all ports of a machine, and in
/// requests of other programs' pages; without the key they open nothing.
///
/// Both together are the text of an `APIToken`: `token list` shows the browser, and `token revoke` signs it out.
package struct DashboardSecret {
    let cookie: String
    package let key: String

    init(random: inout some RandomSource) {
        cookie = Self.text(random: &random)
        key = Self.text(random: &random)
    }

    /// Nil if the request has no cookie of this node.
    ///
    /// - Parameter port: the API's, which distinguishes the cookies of two nodes.
    init?(_ request: HTTPRequest, port: UInt16) {
        let name = Self.cookieName(port: port) + "="
        let cookies = (request.header("cookie") ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
        guard let cookie = cookies.first(where: { $0.hasPrefix(name) }) else { return nil }
        self.cookie = String(cookie.dropFirst(name.count))
        key = request.header(Self.keyHeader) ?? ""
    }

    /// The text of the `APIToken`.
    package var text: String { cookie + "." + key }

    /// The header that sets the cookie: hidden from scripts, and not sent in requests of other sites.
    func setCookie(port: UInt16) -> String {
        let seconds = Limits.dashboardSessionDays * 86_400
        return "\(Self.cookieName(port: port))=\(cookie); Path=/v1; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
    }

    static let keyHeader = "x-kachat-key"

    /// 32 random bytes.
    package static func text(random: inout some RandomSource) -> String { Hex.encode(random.bytes(32)) }

    private static func cookieName(port: UInt16) -> String { "kachat-dashboard-\(port)" }
}
