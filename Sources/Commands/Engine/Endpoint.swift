import Node

/// One operation of the local API: where it is, who may use it, which command it stands for. From the table of them
/// requests are routed and checked, and the OpenAPI document is made.
package struct Endpoint: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    enum Access: Sendable {
        /// Without a token.
        case open
        /// Any token, whatever its scopes; one of a single account sees only that one.
        case anyToken
        case scope(APIScope)
        /// `chat:read`; with `groups:read` alone, what is about chats is left out.
        case feed
        /// The home's owner: on its socket, or in a browser that opened the dashboard.
        case owner
        /// On the home's socket alone: what makes or shows keys, and what the command line needs for itself.
        case home
    }

    enum Action: Sendable {
        /// The command that is carried out.
        case command(String)
        /// Says that the node serves.
        case health
        /// The OpenAPI document.
        case document
    }

    /// What the request's body is.
    enum Body: Sendable {
        case none
        /// A JSON object with the body's parameters.
        case fields
        /// The same, with at least one of them.
        case someFields
        /// One message, as in `import`; named by the path where that has a txid.
        case message
        /// One JSON array, of so many elements at most.
        case array(DescribedModel, most: Int)
        /// One JSON object a line; taken in as it comes.
        case lines(DescribedModel)
        /// Plain text, of which the command says what it is.
        case text(String)

        /// It is taken in as it comes.
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

    /// Its name in the document.
    let id: String
    let method: Method
    let path: [Part]
    let access: Access
    let summary: String
    private(set) var action: Action
    private(set) var parameters: [APIParameter]
    /// Arguments of the command that are always given.
    let fixed: [String: [String]]
    let body: Body
    package let answer: Answer

    /// One that no command stands behind.
    init(_ id: String, _ method: Method, _ path: String, _ action: Action, _ summary: String, answer: Answer) {
        self.id = id
        self.method = method
        self.path = Endpoint.parts(path)
        self.summary = summary
        self.action = action
        self.answer = answer
        access = .open
        fixed = [:]
        body = .none
        parameters = []
    }

    /// One way of a command over HTTP. Where a parameter stands follows from the path, the method and the body.
    ///
    /// - Parameters:
    ///   - takes: of the command's parameters those that requests may give.
    ///   - fixed: those that this way always gives.
    init(
        _ id: String, _ method: Method, _ path: String, _ access: Access, _ summary: String,
        takes: [any AnyParameter] = [], fixed: [(any AnyParameter, String)] = [], body: Body? = nil, answer: Answer
    ) {
        self.id = id
        self.method = method
        self.path = Endpoint.parts(path)
        self.access = access
        self.summary = summary
        self.fixed = Dictionary(fixed.map { ($0.0.spec.name, [$0.1]) }) { $1 }
        self.body = body ?? (method == .get || method == .delete ? .none : .fields)
        self.answer = answer
        action = .command("")
        parameters = []
        parameters = takes.map { APIParameter(place(of: $0.spec), $0.spec) }
        if case .lines = self.body {
            parameters += [APIParameter(.query, Call.firstLine.spec), APIParameter(.query, Call.moreLines.spec)]
        }
        // The message of the body is named by the path.
        if case .message = self.body, self.path.contains(.parameter("txid")) {
            parameters.append(APIParameter(.path, "txid", .txid, help: "64 hexadecimal digits"))
        }
    }

    private func place(of spec: ParameterSpec) -> APIParameter.Place {
        if path.contains(.parameter(spec.field)) { return .path }
        switch body {
        case .fields, .someFields: return .body
        case .none, .message, .array, .lines, .text: return .query
        }
    }

    /// The same as a way to this command.
    ///
    /// - Parameter hidden: parameters besides those of its help.
    func carried(out spec: CommandSpec, hidden: [String]) -> Endpoint {
        var copy = self
        copy.action = .command(spec.name)
        let names = Set(spec.parameters.map(\.name) + hidden + [Call.firstLine.spec, Call.moreLines.spec].map(\.name))
        precondition(
            parameters.allSatisfy { $0.option.map(names.contains) ?? true } && fixed.keys.allSatisfy(names.contains),
            "invariant: \(id) takes parameters of `\(spec.name)`")
        // One that takes it itself means something else by it.
        if spec.takesAccount, !takesAccount {
            var account = Command.account.spec
            account.help = accountHelp
            copy.parameters.append(APIParameter(.query, account))
        }
        return copy
    }

    /// Options and places of the command that this way has a place for, or always gives.
    var options: Set<String> {
        var options = Set(parameters.compactMap(\.option)).union(fixed.keys)
        for case .clearable(let option) in parameters.map(\.kind) { options.insert(option) }
        return options
    }

    /// Those without which it is another way.
    var needs: Set<String> {
        let required = parameters.filter { $0.isRequired && $0.standard == nil }
        return Set(required.compactMap(\.option)).union(fixed.keys)
    }

    private static func parts(_ path: String) -> [Part] {
        path.split(separator: "/").map { part in
            part.hasPrefix("{") ? .parameter(String(part.dropFirst().dropLast())) : .literal(String(part))
        }
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

    /// No app can use it: it is no part of the document.
    var isOfHome: Bool { if case .home = access { true } else { false } }

    package var takesAccount: Bool { parameters.contains { $0.option == OptionSpec.account.name } }

    func parameters(in place: APIParameter.Place) -> [APIParameter] { parameters.filter { $0.place == place } }
}

private let accountHelp = "the account: its id, the beginning of it, or its label; without, the node's default"

/// What comes and goes, by media type.
extension Endpoint {
    package static let jsonType = "application/json"
    /// One JSON value a line.
    package static let linesType = "application/x-ndjson"
    package static let textType = "text/plain"
    /// All that a command says, as it comes, one JSON object a line; a request that accepts it gives its parameters as
    /// the command line does.
    package static let replyType = "application/vnd.kachat.reply"
    static let eventsType = "text/event-stream"
    /// Prometheus' text format.
    static let metricsType = "text/plain; version=0.0.4"

    /// That of the request's body; nil where there is none.
    var bodyType: String? {
        switch body {
        case .none: nil
        case .fields, .someFields, .message, .array: Endpoint.jsonType
        case .lines: Endpoint.linesType
        case .text: Endpoint.textType
        }
    }

    /// Whether a request that comes again under the same key gets the first answer: where a second one could do more.
    var takesIdempotencyKey: Bool {
        guard method == .post else { return false }
        if body.isStreamed { return false }
        if case .lines = answer.form { return false }
        return true
    }

    /// Why the head's body is not taken; nil where it is.
    func complaint(_ request: HTTPRequest) -> Problem? {
        if let bodyType {
            // A form of another site has a type that needs no preflight; it is refused also where it is empty.
            let given = request.header("content-type")?.prefix { $0 != ";" }.lowercased()
            guard given.map({ $0.filter { $0 != " " } == bodyType }) ?? !request.hasBody else {
                return .mediaType(bodyType)
            }
        }
        if body.isStreamed { return nil }
        if request.has("transfer-encoding") { return .lengthRequired }
        if let length = request.contentLength, length > Limits.httpBodyBytes { return .bodyTooLarge }
        return nil
    }
}

extension Endpoint {
    /// What is wrong with a request, with the names that requests have for parameters.
    func problem(_ error: NodeError) -> Problem {
        Problem(error) { name in parameters.first { $0.option == name }?.name }
    }
}
