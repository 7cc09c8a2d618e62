import Node
import NodeModel

/// Every endpoint of the local API: the ways of all commands, and two that no command stands behind.
enum APITable {
    static let endpoints: [Endpoint] =
        [
            Endpoint("health", .get, "/healthz", .health, "Whether the node serves", answer: .object(Health.self)),
            Endpoint("openapi", .get, "/v1/openapi.json", .document, "This document", answer: .document),
        ] + Command.all.flatMap(\.endpoints)
    static let router = Router(endpoints: endpoints)
    static let document = OpenAPI(endpoints: endpoints).encoded
}
