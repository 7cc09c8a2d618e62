import Synchronization

/// HTTP/1.1 to a node that runs on this machine. Connections are kept and used again.
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
    ///   - api: `HOST:PORT`, as `kachat-node status` and the `ready` line of `run` tell it.
    ///   - token: of `kachat-node token create`.
    /// - Throws: `usage` where `api` is no address of this machine.
    public convenience init(api: String, token: String) throws(ClientError) {
        guard let address = NodeAddress(hostPort: api) else {
            throw ClientError(.usage, "`\(api)` is no address such as 127.0.0.1:47768", parameter: "api")
        }
        guard token.utf8.allSatisfy(Self.isPlain) else {
            throw ClientError(.usage, "the token has characters that none has", parameter: "token")
        }
        self.init(address: address, token: token)
    }

    /// The socket of a node's home, `node.sock`, which only its owner can open: without a token.
    public convenience init(socket path: String) {
        self.init(address: .path(path), token: nil)
    }

    /// What would end a header and begin another one is no value of one.
    private static func isPlain(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

    public func open(_ request: NodeRequest) async throws(ClientError) -> NodeAnswer {
        let bytes = try encode(request)
        // A kept connection may have been closed by the node meanwhile, which shows when it is used. A request that
        // may come twice goes out once more, on a new one.
        while let kept = idle.withLock({ $0.popLast() }) {
            do {
                return try await exchange(bytes, on: kept, request)
            } catch {
                guard error.code == .notReachable, kept.isUntouched, request.isRepeatable else { throw error }
            }
        }
        let deadline = Deadline(after: request.patience)
        let socket = try await Socket.connect(to: address, until: deadline)
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
                throw ClientError(.usage, "`\(name)` has characters that it cannot have", parameter: name)
            }
            head += "\(name): \(value)\r\n"
        }
        if let body = request.body {
            head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n"
        }
        return Array((head + "\r\n").utf8) + (request.body ?? [])
    }
}

extension NodeRequest {
    /// The node gives the first one's answer to a second one under the same key.
    fileprivate var isRepeatable: Bool {
        method != .post || headers.contains { $0.name == "Idempotency-Key" }
    }
}
