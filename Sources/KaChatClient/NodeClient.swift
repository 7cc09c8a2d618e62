import JSONLines

/// What an app does with a node: typed calls of the local API (docs/API.md has each in full), and the feed of what
/// changes. A value that can be copied and used from any task; its copies share connections.
///
/// ```swift
/// let client = try NodeClient(api: "127.0.0.1:47768", token: token)
/// for conversation in try await client.conversations() { … }
/// ```
///
/// Ids are those of the handbook: a `txid` has 64 hexadecimal digits, an `accountId`, `deviceId`, `memberId` or
/// `groupId` is hexadecimal too. Times are milliseconds since 1970, except `senderTs`, which is in seconds.
///
/// Each call throws `ClientError`, whose `remedy` says what to do. Cancelling its task ends it at once with
/// `cancelled`; what was asked for may have been done all the same. A call may be made again: the same `txid` is the
/// same message, and calls that would do something twice carry a key by which the node knows them.
public struct NodeClient: Sendable {
    let transport: any NodeTransport
    let account: String?
    private let turns: Turns

    /// - Parameters:
    ///   - transport: the way to the node.
    ///   - account: which account is meant: its id, the beginning of it, or its label; nil for the node's default.
    public init(transport: any NodeTransport, account: String? = nil) {
        self.transport = transport
        self.account = account
        turns = Turns(count: Limits.calls)
    }

    /// A node that runs on this machine. Nothing is sent yet.
    ///
    /// - Parameters:
    ///   - api: `HOST:PORT`, as `kachat-node status` tells it.
    ///   - token: of `kachat-node token create`.
    /// - Throws: `usage` where one of them cannot be right.
    public init(api: String, token: String, account: String? = nil) throws(ClientError) {
        self.init(transport: try HTTPTransport(api: api, token: token), account: account)
    }

    // MARK: One call

    /// Sends one request and reads the document that answers it. Off the caller's actor: a main actor does not wait
    /// while a long list is read.
    @concurrent
    func call<Value: Sendable>(
        _ call: Call, read: @Sendable (Fields) throws(ClientError) -> Value
    ) async throws(ClientError) -> Value {
        // What only waits takes nobody's turn.
        if !call.waits { try await turns.enter() }
        defer { if !call.waits { turns.leave() } }
        let answer = try await transport.open(call.request(account: account))
        var bytes: [UInt8] = []
        while let part = try await answer.body.next() {
            bytes += part
            guard bytes.count <= Limits.documentBytes else { throw .badAnswer("it is too long") }
        }
        guard answer.status == 200 else { throw Self.refusal(answer, bytes) }
        guard let value = JSONValue(json: bytes, limit: Limits.documentBytes) else {
            throw .badAnswer("it is no JSON")
        }
        return try read(Fields(value))
    }

    func callForNothing(_ call: Call) async throws(ClientError) {
        try await self.call(call) { (_: Fields) throws(ClientError) in }
    }

    /// The items of a list.
    func list<Value: Readable & Sendable>(_ call: Call, of type: Value.Type) async throws(ClientError) -> [Value] {
        try await self.call(call) { (fields: Fields) throws(ClientError) in try fields.list("items", of: type) }
    }

    func object<Value: Readable & Sendable>(_ call: Call, _ type: Value.Type) async throws(ClientError) -> Value {
        try await self.call(call) { (fields: Fields) throws(ClientError) in try Value(fields) }
    }

    /// The error of an answer that is none of success: what the problem document says (RFC 9457).
    static func refusal(_ answer: NodeAnswer, _ bytes: [UInt8]) -> ClientError {
        let problem = JSONValue(json: bytes, limit: Limits.documentBytes)
        return refusal(
            problem, status: answer.status, retryAfter: answer.header("retry-after").flatMap { Int($0) })
    }

    static func refusal(_ problem: JSONValue?, status: Int, retryAfter: Int? = nil) -> ClientError {
        guard let problem, let code = problem["code"]?.text else {
            return ClientError(.badAnswer, "the node answered with status \(status)", status: status)
        }
        return ClientError(
            ClientError.Code(rawValue: code), problem["detail"]?.text ?? "", status: status,
            parameter: problem["parameter"]?.text, allowed: problem["allowed"]?.text,
            notes: problem["notes"]?.elements.compactMap(\.text) ?? [], retryAfterSeconds: retryAfter)
    }
}
