import Node
import NodeModel

struct Router: Sendable {
    enum Match {
        case found(Endpoint, path: [String: String])
        /// The path exists, with these methods.
        case otherMethod([Endpoint.Method])
        case nothing
    }

    let endpoints: [Endpoint]
    /// Their paths, kept apart since each request is compared with all of them.
    private let paths: [[Endpoint.Part]]

    init(endpoints: [Endpoint]) {
        self.endpoints = endpoints
        paths = endpoints.map(\.path)
    }

    /// - Parameter path: from `HTTPTarget`. A literal part takes precedence over a parameter if its endpoint has the
    ///   method: a group may be called `join`.
    func match(_ method: String, _ path: [String]) -> Match {
        let wanted = method == "HEAD" ? "GET" : method
        let found = paths.indices.compactMap { index in
            Self.values(paths[index], path).map { (endpoint: endpoints[index], values: $0) }
        }
        let fitting = found.filter { $0.endpoint.method.rawValue == wanted }
        if let match = fitting.min(by: { $0.values.count < $1.values.count }) {
            return .found(match.endpoint, path: match.values)
        }
        return found.isEmpty ? .nothing : .otherMethod(found.map(\.endpoint.method))
    }

    /// The values of the path's parameters; nil if the path does not match.
    private static func values(_ template: [Endpoint.Part], _ path: [String]) -> [String: String]? {
        guard template.count == path.count else { return nil }
        var values: [String: String] = [:]
        for (part, text) in zip(template, path) {
            switch part {
            case .literal(let word): if word != text { return nil }
            case .parameter(let name):
                if text.isEmpty { return nil }
                values[name] = text
            }
        }
        return values
    }
}

/// Every endpoint of the local API: those of all commands, and two without a command.
enum APITable {
    static let endpoints: [Endpoint] =
        [
            Endpoint(
                "health", .get, "/healthz", .open, "Check that the node serves", answer: .object(Health.self),
                action: .health),
            Endpoint("openapi", .get, "/v1/openapi.json", .open, "This document", answer: .document, action: .document),
        ] + Command.all.flatMap(\.endpoints)
    static let router = Router(endpoints: endpoints)
    static let document = OpenAPI(endpoints: endpoints, families: CommandFamily.all).encoded
    /// Nil if zlib has no memory.
    static let compressedDocument = GzipBody.whole(document)
}
