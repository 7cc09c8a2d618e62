import NodeDriver
import Testing

/// A browser in which the dashboard was opened.
struct DashboardBrowser {
    private struct Link: Decodable { var url: String }

    /// The headers of its requests.
    let headers: [String: String]

    /// The path of a new link.
    static func link(_ node: DrivenNode) throws -> String {
        let url = try node.object(Link.self, ["dashboard"]).url
        let prefix = "http://\(try #require(node.api))"
        #expect(url.hasPrefix(prefix))
        return String(url.dropFirst(prefix.count))
    }

    init(_ node: DrivenNode) throws {
        let answer = try APIClient(node).get(Self.link(node))
        #expect(answer.status == 303)
        let cookie = try #require(answer.headers["set-cookie"])
        #expect(cookie.contains("; HttpOnly; SameSite=Strict"))
        let place = try #require(answer.headers["location"])
        #expect(place.hasPrefix("/dashboard/#key="))
        headers = ["Cookie": String(cookie.prefix { $0 != ";" }), "X-Kachat-Key": String(place.dropFirst(16))]
    }
}
