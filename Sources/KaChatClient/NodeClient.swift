import JSONLines
import NodeModel

/// An app's access to a node: typed calls of the local API (docs/API.md describes each) and the change feed. A value
/// that can be copied and used from any task; its copies share connections.
///
/// ```swift
/// let client = try NodeClient(api: "127.0.0.1:47768", token: token)
/// for conversation in try await client.conversations() { … }
/// ```
///
/// IDs are those of HANDBOOK.md: a `txid` has 64 hexadecimal digits; an `accountId`, `deviceId`, `memberId` or
/// `groupId` is hexadecimal too. Times are milliseconds since 1970, except `senderTs`, which is in seconds.
///
/// Each call throws `ClientError`, whose `remedy` says what to do. Cancelling a call's task ends it at once with
/// `cancelled`, although the node may already have carried it out. A call can be repeated safely: the same `txid` is
/// the same message, and other calls carry a key by which the node recognises a repetition.
public struct NodeClient: Sendable {
    let transport: any NodeTransport
    let account: String?
    private let turns: Turns

    /// - Parameters:
    ///   - transport: the connection to the node.
    ///   - account: an account's id, the beginning of its id, or its label; nil for the node's default.
    public init(transport: any NodeTransport, account: String? = nil) {
        self.transport = transport
        self.account = account
        turns = Turns(count: Limits.calls)
    }

    /// Connects to a node on this machine when the first call is made.
    ///
    /// - Parameters:
    ///   - api: `HOST:PORT`, as `kachat-node status` shows it.
    ///   - token: from `kachat-node token create`.
    /// - Throws: `usage` if one of them is malformed.
    public init(api: String, token: String, account: String? = nil) throws(ClientError) {
        self.init(transport: try HTTPTransport(api: api, token: token), account: account)
    }

    // MARK: One call

    /// Sends one request and reads the answer's document. It runs off the caller's actor, so a long list does not block
    /// the main actor.
    @concurrent
    func call<Value: Sendable>(
        _ call: Call, read: @Sendable (JSONValue) throws(FieldError) -> Value
    ) async throws(ClientError) -> Value {
        // A call that only waits takes no turn.
        if !call.waits { try await turns.enter() }
        defer { if !call.waits { turns.leave() } }
        let answer = try await transport.open(call.request(account: account))
        var bytes: [UInt8] = []
        while let part = try await answer.body.next() {
            bytes += part
            guard bytes.count <= Limits.documentBytes else { throw .badAnswer("it is too long") }
        }
        let value = JSONValue(json: bytes, limit: Limits.documentBytes)
        // An import in which lines were refused has its counts all the same.
        let isReport = call.hasLines && answer.status == 422 && value?["result"] != nil
        guard answer.status == 200 || isReport else { throw Self.refusal(answer, bytes) }
        guard let value else { throw .badAnswer("it is not JSON") }
        do throws(FieldError) {
            return try read(value)
        } catch {
            throw .badAnswer("it \(error)")
        }
    }

    func callForNothing(_ call: Call) async throws(ClientError) {
        try await self.call(call) { (_: JSONValue) throws(FieldError) in }
    }

    /// The items of a list, of all its pages.
    func list<Value: Model>(_ call: Call, of type: Value.Type = Value.self) async throws(ClientError) -> [Value] {
        var (all, cursor): ([Value], String?) = ([], nil)
        for _ in 0..<Limits.listPages {
            let page = try await self.call(call.query("cursor", cursor)) { value throws(FieldError) in
                (items: try value.items() as [Value], cursor: value["cursor"]?.text)
            }
            all += page.items
            guard let next = page.cursor else { return all }
            cursor = next
        }
        throw ClientError(.badAnswer, "the list does not end")
    }

    func object<Value: Model>(_ call: Call, _ type: Value.Type = Value.self) async throws(ClientError) -> Value {
        try await self.call(call) { value throws(FieldError) in try Value(json: value) }
    }

    /// The error in an answer: a problem document (RFC 9457).
    static func refusal(_ answer: NodeAnswer, _ bytes: [UInt8]) -> ClientError {
        let problem = JSONValue(json: bytes, limit: Limits.documentBytes)
        return refusal(problem, status: answer.status, retryAfter: answer.header("retry-after").flatMap { Int($0) })
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

extension JSONValue {
    func items<Value: Model>() throws(FieldError) -> [Value] {
        guard let items = self["items"] else { throw FieldError("items", nil) }
        return try [Value](json: items)
    }
}

extension Model {
    /// Reads a part of the node's answer.
    ///
    /// - Parameter name: the part's name in the error.
    init(_ name: String, of json: JSONValue) throws(ClientError) {
        do throws(FieldError) { try self.init(json: json) } catch { throw .badAnswer("\(name) \(error)") }
    }
}
