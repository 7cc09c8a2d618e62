/// The way to a node: HTTP to one that runs, or straight into one that runs in this process. What a client says and
/// hears is the same on both (docs/API.md).
public protocol NodeTransport: Sendable {
    /// Sends a request and gives the answer's head, with its body still to come.
    ///
    /// - Throws: `not-reachable`, `timed-out`, `cancelled`, `bad-answer`. What the node refuses is an answer.
    func open(_ request: NodeRequest) async throws(ClientError) -> NodeAnswer
}

/// One request of the local API.
public struct NodeRequest: Sendable {
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    public let method: Method
    /// Path and query, with their escapes: `/v1/messages?conversation=alice`.
    public let target: String
    /// Names and values, beside those that the transport adds (Host, Authorization, Content-Length).
    public let headers: [(name: String, value: String)]
    /// A JSON document; nil where there is none.
    public let body: [UInt8]?
    /// How long the answer's head, and then each part of its body, may let wait.
    public let patience: Duration

    public init(
        _ method: Method, _ target: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        patience: Duration
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.patience = patience
    }
}

/// An answer, whose body is read as it is wanted.
public struct NodeAnswer {
    public let status: Int
    /// Names in lower case.
    public let headers: [(name: String, value: String)]
    public let body: any NodeBody

    public init(status: Int, headers: [(name: String, value: String)], body: any NodeBody) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first value of that name.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// The body of an answer. It takes from the node what is asked for, and no more: who reads slowly holds the node's side
/// of the stream up, and nothing piles up in between. Letting go of it ends the request.
public protocol NodeBody: AnyObject {
    /// The next bytes, as soon as there are some; nil at the end.
    ///
    /// - Throws: `not-reachable` where it was cut off, `timed-out`, `cancelled`.
    func next() async throws(ClientError) -> [UInt8]?
}
