import Testing

@testable import Commands
@testable import Node

@Suite struct RouterTests {
    private func match(_ method: String, _ path: String) -> String {
        guard let target = try? HTTPTarget(path) else { return "no target" }
        switch APITable.router.match(method, target.path) {
        case .found(let endpoint, let values):
            return endpoint.id + values.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        case .otherMethod(let methods): return "other: " + methods.map(\.rawValue).sorted().joined(separator: " ")
        case .nothing: return "nothing"
        }
    }

    @Test(arguments: [
        ("GET", "/v1/status", "status"), ("HEAD", "/v1/status", "status"),
        ("POST", "/v1/status", "other: GET"), ("GET", "/v1/messages/0a", "message txid=0a"),
        ("PATCH", "/v1/conversations/a%2Fb", "setConversation conversation=a/b"),
        ("POST", "/v1/conversations/a/read", "markRead conversation=a"),
        ("OPTIONS", "/v1/messages", "other: GET POST"), ("GET", "/v1/messages/", "nothing"),
        ("GET", "/v1/status/", "nothing"), ("GET", "/", "nothing"), ("GET", "/v2/status", "nothing"),
        ("get", "/v1/status", "other: GET"), ("GET", "/v1/groups/join", "group group=join"),
        ("PUT", "/v1/groups/join", "other: DELETE GET PATCH POST"), ("POST", "/v1/groups/join", "joinGroup"),
    ])
    func requestsFindTheirEndpoint(_ method: String, _ path: String, _ found: String) {
        #expect(match(method, path) == found)
    }

    /// No endpoint hides another: each is found by its own path.
    @Test func eachEndpointIsFound() throws {
        var ids: Set<String> = []
        for endpoint in APITable.endpoints {
            #expect(ids.insert(endpoint.id).inserted, "\(endpoint.id) is there twice")
            let path = endpoint.template.replacing("{", with: "x").replacing("}", with: "x")
            #expect(match(endpoint.method.rawValue, path).hasPrefix(endpoint.id))
        }
    }

    @Test func readingNeedsNoWritingScope() {
        for endpoint in APITable.endpoints {
            guard case .scope(let scope) = endpoint.access, scope != .admin else { continue }
            // An invitation is a secret, so it goes in a body although it is only read.
            let isWrite = endpoint.isWrite && endpoint.id != "inspectInvite"
            #expect(scope.rawValue.hasSuffix(isWrite ? ":write" : ":read"), "\(endpoint.id)")
        }
    }
}
