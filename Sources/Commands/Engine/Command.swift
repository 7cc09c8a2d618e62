import Node
import NodeCore
import NodeModel

/// One thing that can be asked of a node, and all that is to be known of it: how it is called on the command line and
/// over HTTP, what it takes, the code, what it answers, and how people are told.
///
/// The parser, help, manual page, completions, router, the OpenAPI document and docs/COMMANDS.md are made of these
/// values; `Command.all` lists them, and nothing else does.
package struct Command: Sendable {
    /// What its code works on: while that cannot be written, a command that writes hears why at once.
    enum Subject: Sendable {
        /// One account: the one that is named, or the default one.
        case account
        /// The node, or several accounts.
        case node
        /// One account; with this switch none, since there may be none yet.
        case accountUnless(any AnyParameter)
    }

    package let spec: CommandSpec
    /// Its ways over HTTP. The command line takes the first that knows all that was given.
    package let endpoints: [Endpoint]
    let subject: Subject
    /// It is about other devices, or about what changes: without a running node there is nothing to tell.
    package let needsRunningNode: Bool
    /// What the command line asks first, since it cannot be undone; `--yes` answers it.
    package let question: String?
    private let begin: @Sendable (Call) throws(NodeError) -> any Operation

    /// - Parameters:
    ///   - takes: in the order of the help. With `account` among them the endpoints take it, too.
    ///   - hidden: what requests may give besides, and no help shows: the command line finds it out by itself.
    init(
        _ path: String, _ summary: String, examples: [String], takes: [any AnyParameter] = [],
        hidden: [any AnyParameter] = [], on subject: Subject = .account, needsRunningNode: Bool = false,
        asks question: String? = nil, at endpoints: [Endpoint],
        begin: @escaping @Sendable (Call) throws(NodeError) -> any Operation
    ) {
        spec = CommandSpec(path, summary: summary, examples: examples, parameters: takes.map(\.spec))
        self.subject = subject
        self.needsRunningNode = needsRunningNode
        self.question = question
        self.begin = begin
        self.endpoints = endpoints.map { [spec] endpoint in
            endpoint.carried(out: spec, hidden: hidden.map(\.spec.name))
        }
    }

    package var name: String { spec.name }

    /// The first way that knows all that was given, and lacks nothing. What no way takes is the command line's own.
    ///
    /// - Parameter given: names of options and places.
    package func way(for given: Set<String>) -> Endpoint? {
        let known = endpoints.reduce(into: Set<String>()) { $0.formUnion($1.options) }
        let asked = given.intersection(known)
        return endpoints.first { endpoint in
            asked.isSubset(of: endpoint.options) && endpoint.needs.isSubset(of: asked)
        }
    }

    /// The command's work for one request.
    func task(_ call: Call) throws(NodeError) -> CommandTask {
        let account: NodeAccount? =
            switch subject {
            case .account: try call.account
            case .accountUnless(let parameter): call.has(parameter) ? nil : try call.account
            case .node: nil
            }
        let operation = try begin(call)
        if operation.changesData, let fault = account?.fault { throw fault }
        return CommandTask(operation: operation, account: account)
    }
}

/// One request for a command, with its arguments.
struct Call {
    let service: NodeService
    let request: Invocation

    init(service: NodeService, request: Invocation) {
        self.service = service
        self.request = request
    }

    var node: LocalNode { service.node }
    var clock: any Clock { node.clock }

    /// The value; nil where it is not given.
    subscript<Value>(parameter: Parameter<Value>) -> Value? {
        request.arguments[parameter.spec.name].flatMap(parameter.read)
    }

    func has(_ parameter: any AnyParameter) -> Bool { request.has(parameter.spec.name) }

    /// The value of a parameter without which the command means nothing.
    func need<Value>(_ parameter: Parameter<Value>) throws(NodeError) -> Value {
        guard let value = self[parameter] else { throw .wrong(parameter, "must be given") }
        return value
    }

    /// Of lines that come in parts, a request each: the number of the first line, and whether another part follows.
    static let firstLine = Parameter.number(
        "first line", "N", 1...(1 << 40), "of lines that come in parts: the number of the first one here"
    ).optional.named("firstLine")
    static let moreLines = Parameter.flag(
        "more lines", "another part follows: what came so far waits for it before it is archived"
    ).named("more")

    /// The account that is named; without a name, the only one or the default.
    var account: NodeAccount {
        get throws(NodeError) { try node.account(named: self[Command.account]) }
    }

    /// The id of the only account that the caller may see; nil where all may be shown.
    var onlyAccount: String? { request.text(NodeService.onlyAccount) }

    /// The running node's network.
    var network: NodeNetwork {
        get throws(NodeError) {
            guard let network = node.network else {
                throw NodeError(
                    .notReachable, "no node is running on \(node.home.path)\(advice: ": run `kachat-node run`")")
            }
            return network
        }
    }
}

extension NodeError {
    /// What a parameter may not be.
    ///
    /// - Parameter reason: goes on from its name, such as `must be given`.
    static func wrong(_ parameter: any AnyParameter, _ reason: Sentence) -> NodeError {
        NodeError(.usage, "\(parameter: parameter.spec.name) \(reason)")
    }
}

/// An operation that is done in one slice and changes nothing.
func reading(_ body: @escaping () throws -> any Model) -> any Operation {
    ImmediateOperation { reply, _ in reply.data(try body()) }
}

/// An operation that is done in one slice, and whose answer holds once what it changed is committed.
func changing(_ body: @escaping (_ now: MonotonicTime) throws -> any Model) -> any Operation {
    ImmediateOperation(changesData: true) { reply, now in reply.data(try body(now)) }
}

/// The same with a list for an answer.
func listing(_ body: @escaping () throws -> [any Model]) -> any Operation {
    ImmediateOperation { reply, _ in for item in try body() { reply.data(item) } }
}

extension Command {
    package static func named(_ name: String) -> Command? { byName[name] }
    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    /// Taken by every command that works on an account.
    static let account = Parameter.text(
        "--account", .text("A"),
        "the account: its id, the beginning of it, or its label (default: KACHAT_ACCOUNT, or the node's default)")
}
