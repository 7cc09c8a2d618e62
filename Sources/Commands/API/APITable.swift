import Node

/// Every endpoint of the local API, a file a family, and the shapes of what they take and give.
enum APITable {
    static let endpoints: [Endpoint] =
        Command.all.flatMap(\.endpoints) + service + accounts + chat + conversations + sync + data
    static let shapes: [Shape] =
        serviceShapes + accountShapes + chatShapes + syncShapes + dataShapes
    static let router = Router(endpoints: endpoints)
    static let document = OpenAPI(endpoints: endpoints, shapes: shapes).encoded

    static let pageLimit = Endpoint.pageLimit
}
