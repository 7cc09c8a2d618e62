package import Node
package import NodeCore
package import Transport

/// The local HTTP API: routes requests to the operations that the command line uses, checks who asks, and serves the
/// commands in work in the loop's turns.
package final class APIServer: HTTPResponder, CommandServer {
    private let service: NodeService
    private var node: LocalNode { service.node }
    private let site: DashboardSite
    private var http: (any HTTPServer)?
    private var listener: TCPListener?
    private var homeListener: UnixListener?
    private var origin = HTTPOrigin(port: 0)
    private var exchanges: [CommandExchange] = []
    private var failures = FailureMeter()
    private var repeated = IdempotencyTable()
    private var now = MonotonicTime.zero
    /// The tokens as they were when streams were last looked through.
    private var seenTokens: TokenList

    /// - Parameter site: the dashboard's files; none where there is no dashboard.
    package init(service: NodeService, loop: EventLoop, makeServer: HTTPServerMaker, site: [SiteFile] = [])
        throws(NodeError)
    {
        self.service = service
        self.site = DashboardSite(files: site, service: service)
        seenTokens = service.tokens
        http = try makeServer(loop, self)
    }

    /// Nil once nothing is served any more.
    package var server: (any HTTPServer)? { http }

    /// `HOST:PORT` where it listens; nil for the home's socket only.
    package var address: String? { listener?.address.description }

    /// Listens on a loopback address, besides the home's socket.
    package func listen(on address: SocketAddress, loop: EventLoop) throws(Transport.SystemError) {
        precondition(address.isLoopback, "invariant: the API is for this machine")
        let listener = try TCPListener(on: address, loop: loop) { [unowned self] stream in
            guard let remote = stream.remote, let descriptor = stream.release() else { return stream.close() }
            http?.take(descriptor, from: .network(remote))
        }
        self.listener = listener
        origin = HTTPOrigin(port: listener.address.port)
    }

    /// Listens on the home's socket, besides.
    package func listen(onPath path: String, loop: EventLoop) throws(Transport.SystemError) {
        homeListener = try UnixListener(path: path, loop: loop) { [unowned self] stream in
            guard let descriptor = stream.release() else { return stream.close() }
            http?.take(descriptor, from: .home)
        }
    }

    // MARK: Turns

    package var deadline: MonotonicTime? {
        var earliest = [http?.deadline, site.deadline].compactMap(\.self).min()
        for exchange in exchanges {
            guard let due = exchange.deadline else { continue }
            earliest = min(earliest ?? due, due)
        }
        return earliest
    }

    package func work(now: MonotonicTime) -> [CommandFault] {
        self.now = now
        http?.run(now: now)
        site.tidy(now: now)
        for exchange in exchanges { exchange.work(now: now) }
        return exchanges.compactMap { $0.session?.storeFault }
    }

    package func flush(now: MonotonicTime) {
        self.now = now
        cutRevoked()
        for exchange in exchanges { exchange.flush(now: now) }
        http?.run(now: now)
        exchanges.removeAll(where: \.isClosed)
    }

    package func fail(_ error: NodeError, of account: NodeAccount?) {
        for exchange in exchanges { exchange.session?.fail(error, of: account) }
    }

    package func abandon(_ account: NodeAccount) {
        for exchange in exchanges { exchange.session?.abandon(account) }
    }

    package func stop(now: MonotonicTime) {
        listener?.close()
        homeListener?.close()
        site.close(now: now)
        let error = NodeError(.notReachable, "the node is stopping")
        for exchange in exchanges { exchange.session?.end(error) }
        flush(now: now)
        http?.stop()
        // It knows this object, too.
        http = nil
        exchanges = []
    }

    /// A token that was revoked, or has expired, reads no stream any more, and pairs no more.
    private func cutRevoked() {
        let isChanged = seenTokens != service.tokens
        seenTokens = service.tokens
        for exchange in exchanges where exchange.isLasting && (isChanged || exchange.isBeating(now)) {
            guard let id = exchange.plan.caller.tokenID, !service.tokens.holds(id, wall: node.clock.wall()) else {
                continue
            }
            exchange.cut()
        }
    }

    // MARK: Requests

    package func begin(
        _ request: HTTPRequest, admit: (_ holder: HTTPHolder, _ isLasting: Bool) -> HTTPRefusal?
    ) -> any HTTPExchange {
        do {
            return try exchange(for: request, admit)
        } catch {
            return FixedExchange(error.answer)
        }
    }

    private func exchange(
        for request: HTTPRequest, _ admit: (HTTPHolder, Bool) -> HTTPRefusal?
    ) throws(Problem) -> any HTTPExchange {
        // First, and all of them are counted: none that says where a request comes from hides behind others.
        guard request.headers.count <= Limits.httpHeaders else { throw .tooManyHeaders }
        guard !request.isAmbiguous else { throw .ambiguous }
        if let complaint = origin.complaint(request) { throw complaint }
        let target = try HTTPTarget(request.target)
        let page = try site.answer(request, target, port: port, now: now) { () throws(Problem) in
            try noteFailure(of: request)
        }
        if let page { return FixedExchange(page) }
        let (endpoint, path) = try route(request.method, target.path)
        let caller = try caller(of: request, for: endpoint)
        if let complaint = caller.complaint(endpoint.access) { throw complaint }
        if let complaint = endpoint.complaint(request) { throw complaint }
        let readsReply = request.header("accept") == Endpoint.replyType
        let arguments = try RequestReader(endpoint: endpoint, isOfCommandLine: readsReply)
            .arguments(path: path, query: target.query)
        switch endpoint.action {
        case .health:
            return FixedExchange(HTTPAnswer(type: Endpoint.jsonType, bytes: Array("{\"status\":\"ok\"}".utf8)))
        case .document: return FixedExchange(HTTPAnswer(type: Endpoint.jsonType, bytes: APITable.document))
        case .command(let command):
            var plan = CommandExchange.Plan(
                endpoint: endpoint, command: command, caller: caller, arguments: arguments, txid: path["txid"])
            plan.ifNoneMatch = request.header("if-none-match")
            plan.readsReply = readsReply
            try confine(&plan)
            try nameToken(&plan)
            if case .feed = endpoint.access, !caller.seesChats { plan.arguments[NodeService.withoutChats] = [""] }
            try addStreamArguments(&plan, request)
            if let holder = caller.holder, let refusal = admit(holder, plan.isLasting) {
                throw Problem(refusal, of: holder)
            }
            return add(plan, request)
        }
    }

    private func route(_ method: String, _ path: [String]) throws(Problem) -> (Endpoint, [String: String]) {
        switch APITable.router.match(method, path) {
        case .found(let endpoint, let values): return (endpoint, values)
        case .nothing: throw .notFound
        case .otherMethod(let methods):
            let names = methods.map(\.rawValue) + (methods.contains(.get) ? ["HEAD"] : [])
            throw Problem(
                405, "method-not-allowed", "this path takes \(names.joined(separator: ", "))",
                headers: [("Allow", names.joined(separator: ", "))])
        }
    }

    private func caller(of request: HTTPRequest, for endpoint: Endpoint) throws(Problem) -> Caller {
        guard case .network = request.source else { return .owner }
        if case .open = endpoint.access { return .stranger }
        guard request.has("authorization") else { return try browser(request) }
        let words = (request.header("authorization") ?? "").split(separator: " ", omittingEmptySubsequences: true)
        if words.count == 2, words[0].lowercased() == "bearer",
            let token = service.tokens.find(String(words[1]), wall: node.clock.wall())
        {
            return .holder(token)
        }
        try noteFailure(of: request)
        throw .unauthorized
    }

    /// A browser that opened the dashboard shows its cookie, and the key that the page has kept.
    private func browser(_ request: HTTPRequest) throws(Problem) -> Caller {
        guard let secret = DashboardSecret(request, port: port) else { return .stranger }
        // What a page of another site or port makes the browser ask carries the cookie, and says whose it is.
        if let site = request.header("sec-fetch-site"), site != "same-origin" { throw .badOrigin }
        guard !secret.key.isEmpty else { return .stranger }
        if let token = service.tokens.find(secret.text, wall: node.clock.wall()) { return .holder(token) }
        try noteFailure(of: request)
        throw .signedOut
    }

    private var port: UInt16 { listener?.address.port ?? 0 }

    /// Slows an address down that guesses.
    private func noteFailure(of request: HTTPRequest) throws(Problem) {
        guard case .network(let address) = request.source, let wait = failures.note(address, now: now) else { return }
        let seconds = Int(wait.components.seconds) + 1
        throw .tooMany("too many tokens were wrong; the next is looked at in \(seconds) s", seconds: seconds)
    }

    /// Who may see one account only sees nothing of the others.
    private func confine(_ plan: inout CommandExchange.Plan) throws(Problem) {
        guard let account = plan.caller.account else { return }
        guard plan.endpoint.takesAccount else {
            plan.arguments[NodeService.onlyAccount] = [account.hex]
            return
        }
        if let name = plan.arguments[OptionSpec.account.name]?.first {
            let names = node.names
            let index = try? names.index(named: name)
            guard let index, names.entries[index].id == account else {
                throw .forbidden("the token is good for another account")
            }
        }
        plan.arguments[OptionSpec.account.name] = [account.hex]
    }

    /// Who revokes a token here means the one that was shown.
    private func nameToken(_ plan: inout CommandExchange.Plan) throws(Problem) {
        guard plan.command == Command.tokenRevoke.name, plan.arguments["ID"] == nil else { return }
        guard let id = plan.caller.tokenID else {
            throw .forbidden("the home's socket is used without a token: there is none to give up")
        }
        plan.arguments["ID"] = [id]
    }

    private func addStreamArguments(
        _ plan: inout CommandExchange.Plan, _ request: HTTPRequest
    ) throws(Problem) {
        guard plan.isStream, !plan.readsReply else { return }
        guard exchanges.count(where: { $0.plan.isStream && !$0.isClosed }) < Limits.eventStreams else {
            throw .tooMany("there are \(Limits.eventStreams) streams of events already", seconds: 5)
        }
        if let last = request.header("last-event-id"), !last.isEmpty {
            plan.arguments["--since"] = [last]
        } else if plan.arguments["--since"] == nil {
            plan.arguments["--since"] = ["now"]
        }
    }

    private func add(_ plan: CommandExchange.Plan, _ request: HTTPRequest) -> CommandExchange {
        let exchange = CommandExchange(plan) { [service] request in service.makeSession(request) }
        if plan.endpoint.takesIdempotencyKey, !plan.readsReply, let text = request.header("idempotency-key"),
            !text.isEmpty
        {
            let key = IdempotencyTable.Key(tokenID: plan.caller.tokenID, text: text)
            exchange.admit = { [unowned self] body in
                let hash = Blake2b.hash16(Array(request.method.utf8), [0], Array(request.target.utf8), [0], body)
                return repeated.admit(key, request: hash, now: now)
            }
            exchange.didEnd = { [unowned self] answer in repeated.finish(key, answer) }
        }
        exchanges.append(exchange)
        return exchange
    }
}
