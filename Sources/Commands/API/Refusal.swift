import Node

/// An error answer as the OpenAPI document describes it, and the operations that may give it.
struct Refusal: Sendable {
    /// Nil for any other one.
    let status: Int?
    let about: String
    let concerns: @Sendable (Endpoint) -> Bool

    /// `404`, or `default`.
    var key: String { status.map { String($0) } ?? "default" }
    /// `NotFound`.
    var name: String {
        status.map { (Problem.titles[$0] ?? "Failed").filter { $0 != " " } } ?? "AnyOtherError"
    }

    private init(_ status: Int?, _ about: String, _ concerns: @escaping @Sendable (Endpoint) -> Bool = { _ in true }) {
        self.status = status
        self.about = about
        self.concerns = concerns
    }

    static let all = [
        Refusal(400, "A parameter is wrong, missing or unknown; `parameter` names it."),
        Refusal(401, "No token, or an invalid one.", \.needsToken),
        Refusal(403, "The token lacks the scope or is for another account, or the page is of another origin."),
        Refusal(404, "There is no such message, conversation, group, account…", \.isCommand),
        Refusal(409, "Not possible in the current state.", \.isCommand),
        Refusal(410, "The feed is no longer kept from this token on: read everything again.") {
            if case .feed = $0.access { true } else { false }
        },
        Refusal(411, "The body's length must be given.", \.hasDocument),
        Refusal(413, "The body is too large.", \.hasDocument),
        Refusal(415, "The body has another media type, or is compressed.") { $0.bodyType != nil },
        Refusal(421, "`Host` is not this machine's."),
        Refusal(422, "The content is refused; of lines, `result` has the counts and `notes` the reasons.") {
            $0.bodyType != nil || $0.isWrite
        },
        Refusal(429, "Too many at once: try again after `Retry-After`.", \.needsToken),
        Refusal(431, "Too many header fields."),
        Refusal(503, "All connections are in use, the store fails, or the node is stopping: try again.", \.isCommand),
        Refusal(504, "Something awaited did not happen in time.", \.isCommand),
        Refusal(507, "There is no room.", \.isWrite),
        Refusal(nil, "Any other error."),
    ]

    /// For `components`.
    static func responses(_ content: JSONValue) -> [String: JSONValue] {
        Dictionary(
            all.map { refusal in
                var response: [String: JSONValue] = ["description": .string(refusal.about), "content": content]
                if let status = refusal.status, [429, 503, 507].contains(status) {
                    response["headers"] = [
                        "Retry-After": [
                            "description": "Seconds until another attempt makes sense.",
                            "schema": ["type": "integer", "minimum": 1],
                        ]
                    ]
                }
                return (refusal.name, .object(response))
            }, uniquingKeysWith: { $1 })
    }
}

extension Endpoint {
    fileprivate var needsToken: Bool { if case .open = access { false } else { true } }
    fileprivate var isCommand: Bool { if case .command = action { true } else { false } }
    /// Its body is read whole before it begins.
    fileprivate var hasDocument: Bool { !body.isStreamed }
}
