import Synchronization

/// HTTP/1.1 to a node on this machine. Connections are kept and reused.
public final class HTTPTransport: NodeTransport {
    private let address: NodeAddress
    private let token: String?
    private let idle = Mutex<[HTTPConnection]>([])

    private init(address: NodeAddress, token: String?) {
        self.address = address
        self.token = token
    }

    /// A node's local API.
    ///
    /// - Parameters:
    ///   - api: `HOST:PORT`, as `kachat-node status` and the `ready` line of `run` show it.
    ///   - token: from `kachat-node token create`.
    /// - Throws: `usage` if `api` is not an address of this machine.
    public convenience init(api: String, token: String) throws(ClientError) {
        guard let address = NodeAddress(hostPort: api) else {
            throw ClientError(.usage, "`\(api)` is not an address such as 127.0.0.1:47768", parameter: "api")
        }
        guard token.utf8.allSatisfy(Self.isPlain) else {
            throw ClientError(.usage, "the token contains invalid characters", parameter: "token")
        }
        self.init(address: address, token: token)
    }

    /// Connects without a token to `node.sock` in a node's home, which only its owner can open.
    public convenience init(socket path: String) { self.init(address: .path(path), token: nil) }

    /// Rejects bytes that would end a header and begin another.
    private static func isPlain(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

    public func open(_ request: NodeRequest) async throws(ClientError) -> NodeAnswer {
        let bytes = try encode(request)
        // The node may have closed a kept connection, which shows only when it is used. A repeatable request is then
        // sent once more on a new one.
        while let kept = idle.withLock({ $0.popLast() }) {
            do {
                return try await exchange(bytes, on: kept, request)
            } catch {
                guard error.code == .notReachable, kept.isUntouched, request.isRepeatable else { throw error }
            }
        }
        let deadline = Deadline(after: request.patience)
        let socket = try await Socket.open(address, until: deadline)
        return try await exchange(bytes, on: HTTPConnection(socket), request)
    }

    private func exchange(
        _ bytes: [UInt8], on connection: HTTPConnection, _ request: NodeRequest
    ) async throws(ClientError) -> NodeAnswer {
        let head = try await connection.begin(bytes, patience: request.patience)
        let body = HTTPBody(connection: connection, patience: request.patience) { [self] in keep($0) }
        return NodeAnswer(status: head.status, headers: head.headers.map { ($0.name, $0.value) }, body: body)
    }

    private func keep(_ connection: HTTPConnection) {
        idle.withLock { idle in
            if idle.count < Limits.idleConnections { idle.append(connection) }
        }
    }

    private func encode(_ request: NodeRequest) throws(ClientError) -> [UInt8] {
        var head = "\(request.method.rawValue) \(request.target) HTTP/1.1\r\nHost: \(address.host)\r\n"
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        for (name, value) in request.headers {
            guard value.utf8.allSatisfy(Self.isPlain) else {
                throw ClientError(.usage, "`\(name)` contains invalid characters", parameter: name)
            }
            head += "\(name): \(value)\r\n"
        }
        if let body = request.body { head += "Content-Type: \(request.bodyType)\r\nContent-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + (request.body ?? [])
    }
}

extension NodeRequest {
    /// The node answers a second request with the same key like the first.
    fileprivate var isRepeatable: Bool { method != .post || headers.contains { $0.name == "Idempotency-Key" } }
}
