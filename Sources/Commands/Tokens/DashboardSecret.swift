package import NodeCore

/// What a browser shows that was let in: a cookie that no script can read, and a key that only pages of this very
/// address can, since it is kept by them and sent as a header. Cookies go to all ports of a machine, and with what
/// other programs' pages make a browser ask; without the key they open nothing.
///
/// Both together are the text of an `APIToken`, so that `token list` shows the browser and `token revoke` shuts it out.
package struct DashboardSecret {
    let cookie: String
    package let key: String

    init(random: inout some RandomSource) {
        cookie = Self.text(random: &random)
        key = Self.text(random: &random)
    }

    /// Nil where the request has no cookie of this node.
    ///
    /// - Parameter port: of the API, which tells the cookies of two nodes apart.
    init?(_ request: HTTPRequest, port: UInt16) {
        let name = Self.cookieName(port: port) + "="
        let cookies = (request.header("cookie") ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
        guard let cookie = cookies.first(where: { $0.hasPrefix(name) }) else { return nil }
        self.cookie = String(cookie.dropFirst(name.count))
        key = request.header(Self.keyHeader) ?? ""
    }

    /// As of an `APIToken`.
    package var text: String { cookie + "." + key }

    /// The cookie's header: not for scripts, and not for what other sites make the browser ask.
    func setCookie(port: UInt16) -> String {
        let seconds = Limits.dashboardSessionDays * 86_400
        return "\(Self.cookieName(port: port))=\(cookie); Path=/v1; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
    }

    static let keyHeader = "x-kachat-key"

    /// 32 random bytes.
    package static func text(random: inout some RandomSource) -> String { Hex.encode(random.bytes(32)) }

    private static func cookieName(port: UInt16) -> String { "kachat-dashboard-\(port)" }
}
