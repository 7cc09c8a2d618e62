import Node
import NodeCore
import NodeModel

/// One command of a node, described once: its name on the command line, its ways over HTTP, its parameters, its code,
/// its answer, and the words for people.
///
/// The parser, help, manual page, completions, router, OpenAPI document and docs/COMMANDS.md are made of these values;
/// `Command.all` lists them, and nothing else does.
package struct Command: Sendable {
    /// The data that a command works on. If that cannot be written, a command that writes fails at once.
    enum Subject: Sendable {
        /// One account: the named one, or the default.
        case account
        /// The node, or several accounts.
        case node
        /// One account; with this switch none, since there may be none yet.
        case accountUnless(any AnyParameter)
    }

    package let spec: CommandSpec
    /// Its ways over HTTP. The command line takes the first that accepts all given arguments. They are made when asked
    /// for: the program needs those of one command in most runs.
    package var endpoints: [Endpoint] { makeEndpoints() }
    let subject: Subject
    /// The command concerns other devices or changes over time, so it needs a running node.
    package let needsRunningNode: Bool
    /// Asked by the command line before something that cannot be undone; `--yes` answers it.
    package let question: String?
    private let makeEndpoints: @Sendable () -> [Endpoint]
    private let begin: Begin

    /// Begins a command's work for one request.
    typealias Begin = @Sendable (Call) throws -> any Operation

    /// - Parameters:
    ///   - formerName: a word by which it is understood, too.
    ///   - examples: what follows the command's name in each; or whole lines, which name the program.
    ///   - takes: in the order of the help. With `account` among them the endpoints take it, too.
    ///   - hidden: parameters of requests that no help shows, since the command line finds their values itself.
    init(
        _ path: String, _ summary: String, formerly formerName: String? = nil, examples: [String] = [""],
        takes: [any AnyParameter] = [], hidden: [any AnyParameter] = [], on subject: Subject = .account,
        needsRunningNode: Bool = false, asks question: String? = nil,
        at endpoints: @autoclosure @escaping @Sendable () -> [Endpoint], begin: @escaping Begin
    ) {
        spec = CommandSpec(
            path, formerly: formerName, summary: summary, examples: examples, parameters: takes.map(\.spec))
        self.subject = subject
        self.needsRunningNode = needsRunningNode
        self.question = question
        self.begin = begin
        makeEndpoints = { [spec] in endpoints().map { $0.calling(spec, hidden: hidden.map(\.spec.name)) } }
    }

    /// A command with one endpoint.
    init(
        _ path: String, _ summary: String, examples: [String] = [""], takes: [any AnyParameter] = [],
        on subject: Subject = .account, needsRunningNode: Bool = false, asks question: String? = nil,
        at endpoint: @autoclosure @escaping @Sendable () -> Endpoint, begin: @escaping Begin
    ) {
        self.init(
            path, summary, examples: examples, takes: takes, on: subject, needsRunningNode: needsRunningNode,
            asks: question, at: [endpoint()], begin: begin)
    }

    package var name: String { spec.name }

    /// The first endpoint that accepts all given arguments and lacks none. Arguments that no endpoint takes are the
    /// command line's own.
    ///
    /// - Parameter given: names of options and places.
    package func way(for given: Set<String>) -> Endpoint? {
        let endpoints = endpoints
        let known = endpoints.reduce(into: Set<String>()) { $0.formUnion($1.options) }
        let asked = given.intersection(known)
        return endpoints.first { endpoint in asked.isSubset(of: endpoint.options) && endpoint.needs.isSubset(of: asked)
        }
    }

    /// The command's work for one request.
    func task(_ call: Call) throws -> CommandTask {
        var call = call
        call.command = self
        let account: NodeAccount? =
            switch subject {
            case .account: try call.account
            case .accountUnless(let parameter): call.has(parameter) ? nil : try call.account
            case .node: nil
            }
        let operation = try begin(call)
        if operation.changesData, let fault = account?.fault { throw fault.known }
        return CommandTask(operation: operation, account: account)
    }
}

/// One request for a command, with its arguments.
struct Call {
    let service: NodeService
    let request: Invocation
    fileprivate(set) var command: Command?

    /// Whether the command is one that writes.
    var changesData: Bool { command?.endpoints.allSatisfy { !$0.isWrite } != true }

    var node: LocalNode { service.node }
    var clock: any Clock { node.clock }

    /// The parameter's value; nil if it was not given.
    subscript<Value>(parameter: Parameter<Value>) -> Value? {
        request.arguments[parameter.spec.name].flatMap(parameter.read)
    }

    func has(_ parameter: any AnyParameter) -> Bool { request.has(parameter.spec.name) }

    /// The value of a parameter that the command cannot do without.
    func need<Value>(_ parameter: Parameter<Value>) throws(NodeError) -> Value {
        guard let value = self[parameter] else { throw .wrong(parameter, "must be given") }
        return value
    }

    /// Finds what a parameter names; an error that there is no such thing, or that there are several, blames it.
    func named<Value, Failure: Error>(
        _ parameter: any AnyParameter, _ find: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        do throws(Failure) {
            return try find()
        } catch {
            throw (error as? NodeError)?.blaming(parameter.spec.name) as? Failure ?? error
        }
    }

    // The command line sends an import in parts, a request each.
    static let firstLine = Parameter.number(
        "first line", "N", 1...(1 << 40), "the number of this part's first line, if the import comes in parts"
    ).optional.named("firstLine")
    static let moreLines = Parameter.flag("more lines", "another part follows; archive nothing until it has come")
        .named("more")

    // A list's page over HTTP. The command lists all; what is on other pages is not sent.
    static let pageLimit = Parameter.number(
        Invocation.pageLimit, "N", 1...Limits.apiPageRows, "maximum number (default: \(Limits.apiPageRows))"
    ).optional.named("limit").requested(standard: "\(Limits.apiPageRows)")
    static let pageCursor = Parameter.number(
        Invocation.pageCursor, "CURSOR", 1...(1 << 40), "the `cursor` of the page before"
    ).optional.named("cursor").requested(.pattern("^[1-9][0-9]{0,11}$"))

    /// The named account; without a name, the only one or the default.
    var account: NodeAccount {
        get throws(NodeError) {
            try named(Command.account) { () throws(NodeError) in try node.account(named: self[Command.account]) }
        }
    }

    /// The id of the only account that the caller may see; nil if the caller may see all.
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
    /// A parameter has a wrong value.
    ///
    /// - Parameter reason: continues its name, such as `must be given`.
    static func wrong(_ parameter: any AnyParameter, _ reason: Sentence) -> NodeError {
        NodeError(.usage, "\(parameter: parameter.spec.name) \(sentence: reason)")
    }
}

/// Begins an operation that takes one slice and changes no zone.
func reading(_ body: @escaping @Sendable (Call) throws -> any Model) -> Command.Begin {
    { call in atOnce { reply, _ in reply.data(try body(call)) } }
}

/// The same, with a list as its answer.
func listing(_ body: @escaping @Sendable (Call) throws -> [any Model]) -> Command.Begin {
    { call in
        ListOperation {
            let rows = try body(call)
            return ListRows(count: rows.count) { rows[$0] }
        }
    }
}

/// Begins an operation that takes one slice; its answer leaves once its changes are committed.
func changing(_ body: @escaping @Sendable (Call, _ now: MonotonicTime) throws -> any Model) -> Command.Begin {
    { call in atOnce(changesData: true) { reply, now in reply.data(try body(call, now)) } }
}

extension Command {
    /// Taken by every command that works on an account.
    static let account = Parameter.text(
        "--account", .text("A"),
        "the account: its id, the beginning of it, or its label (default: KACHAT_ACCOUNT, or the node's default)")

    // Parameters of the command line alone, for several commands.
    static let file = Parameter.text("FILE", .text("FILE"))
    static let yes = Parameter.flag("--yes", "do not ask")
    static let force = Parameter.flag("--force", "replace an existing file")
}
