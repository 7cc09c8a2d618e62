import Node

/// An error for an HTTP client: `application/problem+json` (RFC 9457) with a stable `code`.
struct Problem: Error, Sendable {
    package let status: Int
    package let code: String
    var detail: String
    /// The wrong parameter, and its allowed values.
    var parameter: String?
    var allowed: String?
    /// Further members.
    package var fields: [String: JSONValue] = [:]
    package var headers: [(name: String, value: String)] = []

    init(
        _ status: Int, _ code: String, _ detail: String, parameter: String? = nil, allowed: String? = nil,
        headers: [(name: String, value: String)] = []
    ) {
        self.status = status
        self.code = code
        self.detail = detail
        self.parameter = parameter
        self.allowed = allowed
        self.headers = headers
    }

    /// - Parameter names: the name that requests have for a parameter of the command.
    init(_ error: NodeError, naming names: (String) -> String? = { _ in nil }) {
        self.init(Problem.status(of: error.code), error.code.rawValue, error.sentence.words(naming: names))
        if status == 503 || status == 507 { headers = [("Retry-After", "5")] }
        parameter = error.sentence.blamed(naming: names)
        if parameter != nil { allowed = Problem.allowed(in: detail) }
    }

    /// The text after "must be", without the wrong value; nil if it names no values.
    static func allowed(in detail: String) -> String? {
        guard let verb = ["must be ", "must have "].compactMap({ detail.firstRange(of: $0) }).first else {
            return detail.hasSuffix("must not be empty") ? "a text that is not empty" : nil
        }
        let rest = detail[verb.upperBound...]
        guard !rest.hasPrefix("given") else { return nil }
        return String(rest.firstRange(of: ", not ").map { rest[..<$0.lowerBound] } ?? rest)
    }

    static func parameter(_ name: String, _ complaint: String) -> Problem {
        Problem(400, "usage", "`\(name)` \(complaint)", parameter: name, allowed: allowed(in: complaint))
    }

    package var json: JSONValue {
        var members = fields
        members["type"] = "about:blank"
        members["status"] = .number(status)
        members["code"] = .string(code)
        members["title"] = .string(Problem.titles[status] ?? "Failed")
        members["detail"] = .string(detail)
        if let parameter { members["parameter"] = .string(parameter) }
        if let allowed { members["allowed"] = .string(allowed) }
        return .object(members)
    }

    package var answer: HTTPAnswer {
        var answer = HTTPAnswer(status: status, type: Problem.mediaType, bytes: json.encoded)
        answer.headers += headers
        return answer
    }

    static let mediaType = "application/problem+json"

    /// The phrases of RFC 9110 §15 and RFC 6585.
    static let titles: [Int: String] = [
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        409: "Conflict", 410: "Gone", 411: "Length Required", 413: "Content Too Large", 415: "Unsupported Media Type",
        421: "Misdirected Request", 422: "Unprocessable Content", 429: "Too Many Requests",
        431: "Request Header Fields Too Large",
        500: "Internal Server Error", 503: "Service Unavailable", 504: "Gateway Timeout", 507: "Insufficient Storage",
    ]

    private static func status(of code: NodeError.Code) -> Int {
        switch code {
        case .usage: 400
        case .badInput, .badPhrase: 422
        case .notAllowed: 403
        case .notFound, .noIdentity: 404
        case .expiredToken: 410
        case .foreignToken, .exists, .accountExists, .failed, .portInUse, .unconfirmed: 409
        case .timedOut: 504
        case .notReachable, .storage: 503
        case .storageFull: 507
        default: 500
        }
    }
}

extension Problem {
    static let badHost = Problem(
        421, "bad-host", "the Host of a request must be 127.0.0.1, localhost or [::1] with the API's port")
    static let badOrigin = Problem(403, "bad-origin", "pages of other origins may not use this API")
    static let unauthorized = Problem(
        401, "unauthorized",
        "a token is needed, as `Authorization: Bearer …`: the node's user creates it, for example in the dashboard",
        headers: [("WWW-Authenticate", "Bearer")])
    static let badToken = Problem(
        401, "unauthorized",
        "the token is not valid: it was revoked, has expired, is of another node, or has a typing error",
        headers: [("WWW-Authenticate", "Bearer")])
    static let signedOut = Problem(
        401, "unauthorized", "this browser is signed out: get a new link with `kachat-node dashboard`",
        headers: [("WWW-Authenticate", "Bearer")])
    static let badTarget = Problem(400, "usage", "the request's path or query is malformed")
    package static let notFound = Problem(
        404, "not-found", "there is nothing at this path; /v1/openapi.json lists all paths")
    static let tooManyHeaders = Problem(431, "too-large", "a request has at most \(Limits.httpHeaders) header fields")
    static let ambiguous = Problem(400, "usage", "the request's headers are ambiguous")
    static let lengthRequired = Problem(411, "length-required", "the body's length must be given by Content-Length")
    static let bodyTooLarge = Problem(413, "too-large", "a body has at most \(Limits.httpBodyBytes) bytes")

    /// With the codings that are taken (RFC 9110 §15.5.16).
    static let compressedBody = Problem(
        415, "media-type", "the body must not be compressed", parameter: "Content-Encoding", allowed: "identity",
        headers: [("Accept-Encoding", "identity")])

    static func mediaType(_ wanted: String) -> Problem {
        Problem(415, "media-type", "the Content-Type must be \(wanted)", allowed: wanted)
    }

    /// A request that the HTTP library refuses by its head (RFC 9110 §8.6, RFC 9112 §3.2).
    static func unreadable(_ request: HTTPRequest) -> Problem {
        let lengths = request.headers.filter { $0.name == "content-length" }.map(\.value)
        var problem = Problem(431, "too-large", "the request's head is too large")
        if !request.has("host") {
            problem = Problem(400, "usage", "a request must have a Host", parameter: "Host")
        } else if lengths.contains(where: { $0.isEmpty || $0.contains { !("0"..."9").contains($0) } }) {
            problem = Problem(
                400, "usage", "`Content-Length` must be the body's number of bytes", parameter: "Content-Length",
                allowed: "the body's number of bytes")
        } else if lengths.contains(where: { UInt64($0) == nil }) {
            problem = bodyTooLarge
        }
        problem.headers = [("Connection", "close")]
        return problem
    }

    /// - Parameter methods: those that the path takes.
    static func otherMethod(_ methods: [String]) -> Problem {
        let names = methods.joined(separator: ", ")
        return Problem(405, "method-not-allowed", "this path takes \(names)", headers: [("Allow", names)])
    }

    /// The token is valid, but not for this.
    static func forbidden(_ detail: String) -> Problem { Problem(403, "not-allowed", detail) }

    package static let busy = Problem(
        503, "busy", "all connections of the node are in use: try again in a second",
        headers: [("Retry-After", "1"), ("Connection", "close")])

    /// Of several tokens together.
    static let allStreams = Problem(
        503, "busy", "the node has its maximum of \(Limits.eventStreams) event streams open: try again",
        headers: [("Retry-After", "5"), ("Connection", "close")])

    /// Also closes the connection, to free its place.
    init(_ refusal: HTTPRefusal, of holder: HTTPHolder) {
        let who = holder == .owner ? "the home's socket" : "this token"
        switch refusal {
        case .all: self = .busy
        case .share(let most):
            self = .tooMany("\(who) uses its maximum of \(most) connections: reuse them, or try again", seconds: 1)
        case .lasting(let most):
            self = .tooMany("\(who) has its maximum of \(most) event streams open: close one, or try again", seconds: 5)
        }
        if refusal != .all { headers.append(("Connection", "close")) }
    }

    /// - Parameter seconds: the time until another attempt makes sense.
    static func tooMany(_ detail: String, seconds: Int) -> Problem {
        Problem(429, "too-many", detail, headers: [("Retry-After", "\(seconds)")])
    }
}
