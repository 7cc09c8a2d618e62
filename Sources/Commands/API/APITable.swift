import Node

/// Every endpoint of the local API, a file a family, and the shapes of what they take and give.
enum APITable {
    static let endpoints: [Endpoint] =
        service + accounts + pairing + chat + conversations + sync + data + groups + scores
    static let shapes: [Shape] =
        serviceShapes + accountShapes + pairingShapes + chatShapes + syncShapes + dataShapes + groupShapes + scoreShapes
    static let router = Router(endpoints: endpoints)
    static let document = OpenAPI(endpoints: endpoints, shapes: shapes).encoded

    /// Rows of a page, where the command alone would give more: a page is held in memory as a whole.
    static let pageLimit = ValueKind.number("N", 1...Limits.apiPageRows)
}
