import JSONLines
import NodeModel

/// A request before encoding: path, query and body in parts.
struct Call: Sendable {
    let method: NodeRequest.Method
    private let path: [String]
    private var query: [(name: String, value: String)] = []
    private var fields: [String: JSONValue] = [:]
    /// The body, if it is not an object.
    private var whole: (bytes: [UInt8], type: String)?
    /// The query names an account.
    private let takesAccount: Bool
    /// Time the node may wait before it answers.
    private var waitSeconds = 0
    private var headers: [(name: String, value: String)] = []

    /// - Parameter path: the unescaped components after `/v1`.
    init(_ method: NodeRequest.Method, _ path: String..., ofAccount: Bool = true) {
        self.method = method
        self.path = path
        takesAccount = ofAccount
    }

    var waits: Bool { waitSeconds > 0 }
    var hasLines: Bool { whole?.type == Self.linesType }

    private static let linesType = "application/x-ndjson"

    private func with(_ change: (inout Call) -> Void) -> Call {
        var copy = self
        change(&copy)
        return copy
    }

    /// Adds a query parameter, unless it is nil.
    func query(_ name: String, _ value: String?) -> Call {
        guard let value else { return self }
        return with { $0.query.append((name, value)) }
    }

    func query(_ name: String, _ value: Int?) -> Call { query(name, value.map { String($0) }) }
    func query(_ name: String, _ isSet: Bool) -> Call { isSet ? query(name, "true") : self }

    /// Adds a body field, unless it is nil.
    func field(_ name: String, _ value: JSONValue?) -> Call {
        guard let value else { return self }
        return with { $0.fields[name] = value }
    }

    /// Sets the body to a model's fields.
    func fields(of model: any Model) -> Call { with { $0.fields = model.jsonFields } }

    func field(_ name: String, _ text: String?) -> Call { field(name, text.map { JSONValue.string($0) }) }
    func field(_ name: String, _ number: (some BinaryInteger)?) -> Call { field(name, number.map { .number($0) }) }
    func field(_ name: String, _ value: Bool?) -> Call { field(name, value.map { JSONValue.bool($0) }) }

    /// Sets the body to an array.
    func list(_ elements: [JSONValue]) -> Call { body(JSONValue.array(elements).encoded, "application/json") }

    /// Sets the body to values, one per line.
    func lines(_ bytes: [UInt8]) -> Call { body(bytes, Self.linesType) }

    func text(_ text: String) -> Call { body(Array(text.utf8), "text/plain") }

    private func body(_ bytes: [UInt8], _ type: String) -> Call { with { $0.whole = (bytes, type) } }

    func header(_ name: String, _ value: String?) -> Call {
        guard let value else { return self }
        return with { $0.headers.append((name, value)) }
    }

    /// Lets the node wait that long before it answers.
    func waiting(seconds: Int) -> Call { with { $0.waitSeconds = seconds } }

    func request(account: String?) -> NodeRequest {
        var headers = headers
        // If the call is repeated on a second connection, it gets the first one's answer.
        if method == .post { headers.append(("Idempotency-Key", Self.newKey())) }
        return request(account, headers, patience: Limits.callTime + .seconds(waitSeconds))
    }

    /// A request whose answer comes bit by bit, and may be silent for a while.
    func stream(account: String?) -> NodeRequest { request(account, headers, patience: Limits.streamSilence) }

    private func request(
        _ account: String?, _ headers: [(name: String, value: String)], patience: Duration
    ) -> NodeRequest {
        let target = target(account: takesAccount ? account : nil)
        guard method != .get, method != .delete else {
            return NodeRequest(method, target, headers: headers, patience: patience)
        }
        let body = whole ?? (JSONValue.object(fields).encoded, "application/json")
        return NodeRequest(method, target, headers: headers, body: body.bytes, bodyType: body.type, patience: patience)
    }

    private func target(account: String?) -> String {
        var target = "/v1" + path.map { "/" + PercentEncoding.escaped($0) }.joined()
        let query = query + (account.map { [("account", $0)] } ?? [])
        for (index, item) in query.enumerated() {
            target += (index == 0 ? "?" : "&") + item.name + "=" + PercentEncoding.escaped(item.value)
        }
        return target
    }

    private static func newKey() -> String {
        String(UInt64.random(in: 0 ... .max), radix: 16) + String(UInt64.random(in: 0 ... .max), radix: 16)
    }
}
