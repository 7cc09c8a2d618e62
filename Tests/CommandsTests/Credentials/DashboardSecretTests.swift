import NodeCore
import Testing

@testable import Commands
@testable import Node

@Suite struct DashboardSecretTests {
    private func request(_ headers: [(name: String, value: String)]) -> HTTPRequest {
        HTTPRequest(source: .home, method: "GET", target: "/v1/status", headers: headers)
    }

    @Test func itComesBackFromItsCookieAndKey() throws {
        var random = SeededRandom(seed: 3)
        let secret = DashboardSecret(random: &random)
        let cookie = secret.setCookie(port: 4711)
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict"))
        #expect(!cookie.contains(secret.key))
        let pair = String(cookie.prefix { $0 != ";" })
        let headers = [("cookie", "theme=dark; \(pair); a=b"), ("x-kachat-key", secret.key)]
        #expect(DashboardSecret(request(headers), port: 4711)?.text == secret.text)
        // These are of another node on this machine, and without the key.
        #expect(DashboardSecret(request(headers), port: 4712) == nil)
        #expect(DashboardSecret(request([("cookie", pair)]), port: 4711)?.key == "")
        #expect(DashboardSecret(request([]), port: 4711) == nil)
    }

    @Test func browsersAreTokensAndTheOldestGoes() throws {
        var random = SeededRandom(seed: 5)
        var list = TokenList()
        let app = APIToken(
            id: "app", name: nil, hash: APIToken.hash(of: "app"), scopes: [.chatRead], account: nil,
            createdAt: WallTime(milliseconds: 0), expiresAt: nil)
        try list.add(app)
        let secrets = (0...Limits.dashboardSessions).map { _ in DashboardSecret(random: &random) }
        for (number, secret) in secrets.enumerated() {
            try list.add(dashboard: secret, id: "b\(number)", wall: WallTime(milliseconds: Int64(number)))
        }
        let wall = WallTime(milliseconds: 1_000)
        #expect(list.find(secrets[0].text, wall: wall) == nil)
        for secret in secrets.dropFirst() {
            #expect(list.find(secret.text, wall: wall)?.scopes == [.admin])
            #expect(list.find(secret.cookie, wall: wall) == nil && list.find(secret.key, wall: wall) == nil)
        }
        #expect(list.find("app", wall: wall) != nil)
        #expect(TokenList(json: list.encoded) == list)
        // A month later they are signed out and forgotten.
        let later = wall + .seconds(Limits.dashboardSessionDays * 86_400)
        #expect(list.find(secrets[4].text, wall: later) == nil)
        try list.add(dashboard: DashboardSecret(random: &random), id: "late", wall: later)
        #expect(list.tokens.map(\.id) == ["app", "late"])
    }
}
