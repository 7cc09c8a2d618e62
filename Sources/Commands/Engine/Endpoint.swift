import Node

/// One operation of the local API: its path, its access rule and its command. Routing, request checks and the OpenAPI
/// document are made of these.
package struct Endpoint: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    enum Access: Sendable {
        /// Needs no token.
        case open
        /// Any token, whatever its scopes; one of a single account sees only that account.
        case anyToken
        case scope(APIScope)
        /// Either of them.
        case either(APIScope, APIScope)
        /// `chat:read`; with `groups:read` alone, events about chats are left out.
        case feed
        /// The home's owner: on its socket, or in a browser that opened the dashboard.
        case owner
        /// The home's socket alone: commands that make or show keys, and details that only the command line needs.
        case home
    }

    enum Action: Sendable {
        /// Runs the command of this name.
        case command(String)
        /// Confirms that the node serves.
        case health
        /// Sends the OpenAPI document.
        case document
    }

    /// The content of a request's body.
    enum Body: Sendable {
        case none
        /// A JSON object with the body's parameters.
        case fields
        /// The same, with at least one parameter.
        case someFields
        /// One message, as in `import`; its txid may stand in the path.
        case message
        /// One JSON array with at most this number of elements.
        case array(DescribedModel, most: Int)
        /// One JSON object a line, processed as they arrive.
        case lines(DescribedModel)
        /// Plain text; the string describes it.
        case text(String)

        /// It is processed as it arrives.
        var isStreamed: Bool {
            switch self {
            case .lines, .text: true
            case .none, .fields, .someFields, .message, .array: false
            }
        }
    }

    enum Part: Hashable, Sendable {
        case literal(String)
        case parameter(String)
    }

    /// Its name in the OpenAPI document.
    let id: String
    let method: Method
    let path: [Part]
    let access: Access
    private(set) var summary: String
    private(set) var action: Action
    private(set) var parameters: [APIParameter] = []
    /// The command's parameters that requests may give; nil for all of them.
    private let taken: [ParameterSpec]?
    /// Arguments that this endpoint always gives to the command.
    let fixed: [String: [String]]
    let body: Body
    package let answer: Answer

    /// One way to call a command over HTTP. A parameter's place follows from the path, the method and the body.
    ///
    /// - Parameters:
    ///   - summary: nil: the command's.
    ///   - taken: the command's parameters that requests may give; nil: all of them.
    ///   - fixed: arguments that this endpoint always gives.
    ///   - action: for an endpoint without a command.
    init(
        _ id: String, _ method: Method, _ path: String, _ access: Access, _ summary: String? = nil,
        takes taken: [any AnyParameter]? = nil, fixed: [(any AnyParameter, String)] = [], body: Body? = nil,
        answer: Answer, action: Action = .command("")
    ) {
        self.id = id
        self.method = method
        self.path = path.split(separator: "/").map { part in
            part.hasPrefix("{") ? .parameter(String(part.dropFirst().dropLast())) : .literal(String(part))
        }
        self.access = access
        self.summary = summary ?? ""
        self.action = action
        self.taken = taken?.map(\.spec)
        self.fixed = Dictionary(fixed.map { ($0.0.spec.name, [$0.1]) }) { $1 }
        self.body = body ?? (method == .get || method == .delete ? .none : .fields)
        self.answer = answer
    }

    /// This endpoint as a way to the command.
    ///
    /// - Parameter hidden: names of parameters that only requests have.
    func calling(_ spec: CommandSpec, hidden: [String]) -> Endpoint {
        var copy = self
        copy.action = .command(spec.name)
        if summary.isEmpty { copy.summary = spec.summary }
        var account = Command.account.spec
        let taken = taken ?? spec.parameters.filter { $0.name != account.name }
        copy.parameters = taken.map { APIParameter(place(of: $0), $0) }
        if case .lines = body {
            copy.parameters += [Call.firstLine.spec, Call.moreLines.spec].map { APIParameter(.query, $0) }
        }
        if case .message = body, path.contains(.parameter("txid")) { copy.parameters.append(.bodyTxid) }
        var hidden = hidden + [Call.firstLine.spec, Call.moreLines.spec].map(\.name)
        if isPaged(for: spec) {
            let page = [Call.pageLimit.spec, Call.pageCursor.spec]
            copy.parameters += page.map { APIParameter(.query, $0) }
            hidden += page.map(\.name)
        }
        let names = Set(spec.parameters.map(\.name) + hidden)
        precondition(
            copy.parameters.allSatisfy { $0.option.map(names.contains) ?? true }
                && fixed.keys.allSatisfy(names.contains),
            "invariant: \(id) takes parameters of `\(spec.name)`")
        // An endpoint that lists the account itself gives it another meaning.
        if spec.takesAccount, !copy.takesAccount {
            account.help = "the account: its id, the beginning of it, or its label (default: the node's default)"
            copy.parameters.append(APIParameter(.query, account))
        }
        return copy
    }

    /// True for a list that is sent in pages, of which the command knows nothing.
    private func isPaged(for spec: CommandSpec) -> Bool {
        guard case .list(.counted) = answer.form, method == .get, !isOfHome else { return false }
        return !spec.parameters.contains { $0.field == Call.pageLimit.spec.field }
    }

    private func place(of spec: ParameterSpec) -> APIParameter.Place {
        if path.contains(.parameter(spec.field)) { return .path }
        switch body {
        case .fields, .someFields: return .body
        case .none, .message, .array, .lines, .text: return .query
        }
    }

    /// The command's options and places that this endpoint accepts or always gives.
    var options: Set<String> {
        var options = Set(parameters.compactMap(\.option)).union(fixed.keys)
        for case .clearable(let option) in parameters.map(\.form) { options.insert(option) }
        return options
    }

    /// Options and places without which a command line does not mean this endpoint.
    var needs: Set<String> {
        let required = parameters.filter { $0.isRequired && $0.standard == nil }
        return Set(required.compactMap(\.option)).union(fixed.keys)
    }

    /// `/v1/messages/{txid}`
    var template: String {
        path.reduce(into: "") { text, part in
            switch part {
            case .literal(let word): text += "/" + word
            case .parameter(let name): text += "/{\(name)}"
            }
        }
    }

    var isWrite: Bool { method != .get }

    /// No app can use it, so the OpenAPI document leaves it out.
    var isOfHome: Bool { if case .home = access { true } else { false } }

    package var takesAccount: Bool { parameters.contains { $0.option == ParameterSpec.account.name } }

    func parameters(in place: APIParameter.Place) -> [APIParameter] { parameters.filter { $0.place == place } }

    /// The error as a problem document; parameters have the names that requests give them.
    func problem(_ error: NodeError) -> Problem {
        Problem(error) { name in parameters.first { $0.option == name }?.name }
    }
}

// MARK: Media types

extension Endpoint {
    package static let jsonType = "application/json"
    /// One JSON value a line.
    package static let linesType = "application/x-ndjson"
    package static let textType = "text/plain"
    /// The whole reply as it comes, one JSON object a line. A request that accepts it gives its parameters as the
    /// command line does.
    package static let replyType = "application/vnd.kachat.reply"
    static let eventsType = "text/event-stream"
    /// Prometheus' text format.
    static let metricsType = "text/plain; version=0.0.4"

    /// The media type of the request's body; nil for no body.
    var bodyType: String? {
        switch body {
        case .none: nil
        case .fields, .someFields, .message, .array: Endpoint.jsonType
        case .lines: Endpoint.linesType
        case .text: Endpoint.textType
        }
    }

    /// True if a request repeated under the same key gets the first answer: repeating it could change more.
    var takesIdempotencyKey: Bool {
        guard method == .post else { return false }
        if body.isStreamed { return false }
        if case .lines = answer.form { return false }
        return true
    }

    /// Why a request with this head is refused; nil if it is not.
    func complaint(_ request: HTTPRequest) -> Problem? {
        if let bodyType {
            // A form of another site has a type that needs no preflight; it is refused even if it is empty.
            let given = request.header("content-type")?.prefix { $0 != ";" }.lowercased()
            guard given.map({ $0.filter { $0 != " " } == bodyType }) ?? !request.hasBody else {
                return .mediaType(bodyType)
            }
        }
        if request.has("content-encoding"), request.header("content-encoding")?.lowercased() != "identity" {
            return .compressedBody
        }
        if body.isStreamed { return nil }
        if request.has("transfer-encoding") { return .lengthRequired }
        if let length = request.contentLength, length > Limits.httpBodyBytes { return .bodyTooLarge }
        return nil
    }
}

extension Endpoint {
    /// Rows of a page. Requests get fewer than the command line, since a page is held in memory as a whole.
    static let pageLimit = ValueKind.number("N", 1...Limits.apiPageRows)
}
