/// The connection to a node: HTTP to a running node, or direct calls to the in-process node. Requests and answers are
/// the same on both (docs/API.md).
public protocol NodeTransport: Sendable {
    /// Sends a request and returns the answer's head; the body follows.
    ///
    /// - Throws: `not-reachable`, `timed-out`, `cancelled`, `bad-answer`. An error response is an answer.
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
    /// Escaped path and query: `/v1/messages?conversation=alice`.
    public let target: String
    /// Names and values, without those that the transport adds (Host, Authorization, Content-Length).
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]?
    /// The body's media type: a JSON document, or `application/x-ndjson` for one a line.
    public let bodyType: String
    /// Time to wait for the answer's head, and then for each part of its body.
    public let patience: Duration

    public init(
        _ method: Method, _ target: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        bodyType: String = "application/json", patience: Duration
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.bodyType = bodyType
        self.patience = patience
    }
}

/// An answer. Its body is read on demand.
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

    /// The first value of that header.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// The body of an answer. It reads only on demand: a slow reader slows the node's side of the stream, and nothing piles
/// up in between. Releasing the body ends the request.
public protocol NodeBody: AnyObject {
    /// The next bytes, once there are any; nil at the end.
    ///
    /// - Throws: `not-reachable` if it was cut off, `timed-out`, `cancelled`.
    func next() async throws(ClientError) -> [UInt8]?
}
