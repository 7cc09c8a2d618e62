import Node

/// One operation of the local API: where it is, who may use it, which command it stands for. From the table of them
/// requests are routed and checked, and the OpenAPI document is made.
struct Endpoint: Sendable {
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
    package enum Body: Sendable {
        case none
        /// A JSON object with the body's parameters.
        case fields
        /// The same, with at least one of them.
        case someFields
        /// One message, as in `import`; named by the path where that has a txid.
        case message
        /// One JSON array of this shape, of so many elements at most.
        case array(String, most: Int)
        /// One JSON object a line, of this shape; taken in as it comes.
        case lines(String)
    }

    package enum Answer: Sendable {
        case object(String)
        case list(String, next: Next?)
        /// One JSON object a line, as they come.
        case lines(String)
        /// Server-sent events of the change feed.
        case events
        case metrics
    }

    /// From where a list goes on.
    enum Next: String, Sendable {
        /// The last message's; none behind the last page.
        case cursor
        /// The last change's, or the one that was given.
        case token
    }

    package enum Part: Hashable, Sendable {
        case literal(String)
        case parameter(String)
    }

    /// Its name in the document.
    package let id: String
    package let method: Method
    package let path: [Part]
    package let access: Access
    package let summary: String
    let action: Action
    let parameters: [APIParameter]
    /// Arguments of the command that are always given.
    let fixed: [String: [String]]
    package let body: Body
    package let answer: Answer

    /// - Parameter path: such as `/v1/messages/{txid}`.
    init(
        _ id: String, _ method: Method, _ path: String, _ access: Access, _ action: Action, _ summary: String,
        parameters: [APIParameter] = [], fixed: [String: [String]] = [:], body: Body = .none, answer: Answer
    ) {
        self.id = id
        self.method = method
        self.path = path.split(separator: "/").map { part in
            part.hasPrefix("{") ? .parameter(String(part.dropFirst().dropLast())) : .literal(String(part))
        }
        self.access = access
        self.action = action
        self.summary = summary
        self.fixed = fixed
        self.body = body
        self.answer = answer
        let spec = Endpoint.spec(action)
        self.parameters =
            parameters.map { $0.resolved(spec) }
            + (spec?.takesAccount == true
                ? [APIParameter(.query, "account", OptionSpec.account.name, help: accountHelp).resolved(spec)] : [])
    }

    /// The same operation on the command line; nil where there is none.
    private static func spec(_ action: Action) -> CommandSpec? {
        guard case .command(let name) = action else { return nil }
        let spec = Catalogue.commands.first { $0.name == name }
        precondition(spec != nil, "invariant: the table names commands that there are, not \(name)")
        return spec
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

    package var takesAccount: Bool { parameters.contains { $0.option == OptionSpec.account.name } }

    func parameters(in place: APIParameter.Place) -> [APIParameter] { parameters.filter { $0.place == place } }
}

private let accountHelp = "the account: its id, the beginning of it, or its label; without, the node's default"
