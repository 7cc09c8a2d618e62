package import Node
package import NodeCore
package import Transport

/// The local HTTP API: routes requests to the commands, checks the callers, and serves commands at work in the loop's
/// turns.
package final class APIServer: CommandServer {
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
    /// The tokens at the last check of the streams.
    private var seenTokens: TokenList

    /// - Parameter site: the dashboard's files; none for no dashboard.
    package init(service: NodeService, loop: EventLoop, makeServer: HTTPServerMaker, site: [SiteFile] = [])
        throws(NodeError)
    {
        self.service = service
        self.site = DashboardSite(files: site, service: service)
        seenTokens = service.tokens
        http = try makeServer(loop, self)
    }

    /// Nil once the server has stopped.
    package var server: (any HTTPServer)? { http }

    /// Its `HOST:PORT`; nil for the home's socket only.
    package var address: String? { listener?.address.description }

    /// Listens on a loopback address.
    package func listen(on address: SocketAddress, loop: EventLoop) throws(Transport.SystemError) {
        precondition(address.isLoopback, "invariant: the API is for this machine")
        let listener = try TCPListener(on: address, for: .apps(refusal: HTTPAnswer.busy), loop: loop) {
            [unowned self] stream in
            guard let remote = stream.remote, let descriptor = stream.release() else { return stream.close() }
            http?.take(descriptor, from: .network(remote))
        }
        self.listener = listener
        origin = HTTPOrigin(port: listener.address.port)
    }

    /// Listens on the home's socket.
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
        serve()
        return exchanges.compactMap { $0.session?.storeFault }
    }

    /// Does a slice of the requests' work, as far as the time of a turn allows.
    private func serve() {
        let waiting = exchanges.filter { $0.hasWork(now) }
        var spent = Duration.zero
        for (number, place) in RequestTurns.order(waiting.map(\.record)).enumerated() {
            let exchange = waiting[place]
            guard number < RequestTurns.certain || spent < Limits.requestsTurnTime else {
                exchange.record.passed += 1
                continue
            }
            let start = node.clock.now()
            exchange.work(now: now)
            let used = node.clock.now() - start
            spent += used
            exchange.record = exchange.hasWork(now) ? .init(used: exchange.record.used + used) : .init()
        }
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
        // Breaks the reference cycle.
        http = nil
        exchanges = []
    }

    /// Ends the streams and pairings of revoked and expired tokens.
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

    /// Begins a request by its head; the exchange gets its body.
    ///
    /// - Parameter admit: called once the request's holder is known, before any work. A refusal becomes the answer.
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
        // Checked before the origin, which a header beyond the limit could name.
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
        case .document:
            let answer = HTTPAnswer(type: Endpoint.jsonType, bytes: APITable.document)
            return FixedExchange(request.acceptsGzip ? answer.gzipped(APITable.compressedDocument) : answer)
        case .command(let command):
            var plan = CommandExchange.Plan(
                endpoint: endpoint, command: command, caller: caller, arguments: arguments, txid: path["txid"])
            plan.ifNoneMatch = request.header("if-none-match")
            plan.readsReply = readsReply
            plan.acceptsGzip = request.acceptsGzip
            try confine(&plan)
            try nameToken(&plan)
            if !caller.seesChats { plan.arguments[NodeService.withoutChats] = [""] }
            if !caller.seesGroups { plan.arguments[NodeService.withoutGroups] = [""] }
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
            throw .otherMethod(methods.map(\.rawValue) + (methods.contains(.get) ? ["HEAD"] : []))
        }
    }

    private func caller(of request: HTTPRequest, for endpoint: Endpoint) throws(Problem) -> Caller {
        guard case .network = request.source else { return .owner }
        if case .open = endpoint.access { return .stranger }
        guard request.has("authorization") else { return try browser(request) }
        let words = (request.header("authorization") ?? "").split(separator: " ", omittingEmptySubsequences: true)
        let isBearer = words.count == 2 && words[0].lowercased() == "bearer"
        if isBearer, let token = service.tokens.find(String(words[1]), wall: node.clock.wall()) {
            return .holder(token)
        }
        try noteFailure(of: request)
        throw isBearer ? .badToken : .unauthorized
    }

    /// Authenticates a browser that opened the dashboard, by its cookie and the key that the page has stored.
    private func browser(_ request: HTTPRequest) throws(Problem) -> Caller {
        guard let secret = DashboardSecret(request, port: port) else { return .stranger }
        // A request by a page of another site or port carries the cookie, too, but names its origin.
        if let site = request.header("sec-fetch-site"), site != "same-origin" { throw .badOrigin }
        guard !secret.key.isEmpty else { return .stranger }
        if let token = service.tokens.find(secret.text, wall: node.clock.wall()) { return .holder(token) }
        try noteFailure(of: request)
        throw .signedOut
    }

    private var port: UInt16 { listener?.address.port ?? 0 }

    /// Slows down an address that guesses tokens.
    private func noteFailure(of request: HTTPRequest) throws(Problem) {
        guard case .network(let address) = request.source, let wait = failures.note(address, now: now) else { return }
        let seconds = Int(wait.components.seconds) + 1
        throw .tooMany("too many wrong tokens; try again in \(seconds) s", seconds: seconds)
    }

    /// Restricts a caller with access to one account to that account.
    private func confine(_ plan: inout CommandExchange.Plan) throws(Problem) {
        guard let account = plan.caller.account else { return }
        guard plan.endpoint.takesAccount else {
            plan.arguments[NodeService.onlyAccount] = [account.hex]
            return
        }
        if let name = plan.arguments[ParameterSpec.account.name]?.first {
            let names = node.names
            let index = try? names.index(named: name)
            guard let index, names.entries[index].id == account else {
                throw .forbidden("the token gives access to another account only")
            }
        }
        plan.arguments[ParameterSpec.account.name] = [account.hex]
    }

    /// `DELETE /v1/token` revokes the caller's own token.
    private func nameToken(_ plan: inout CommandExchange.Plan) throws(Problem) {
        guard plan.command == Command.tokenRevoke.name, plan.arguments["TOKEN"] == nil else { return }
        guard let id = plan.caller.tokenID else {
            throw .forbidden("the home's socket needs no token, so there is none to revoke")
        }
        plan.arguments["TOKEN"] = [id]
    }

    private func addStreamArguments(_ plan: inout CommandExchange.Plan, _ request: HTTPRequest) throws(Problem) {
        guard plan.isStream, !plan.readsReply else { return }
        guard exchanges.count(where: { $0.plan.isStream && !$0.isClosed }) < Limits.eventStreams else {
            throw .allStreams
        }
        if let last = request.header("last-event-id"), !last.isEmpty {
            plan.arguments.merge(try plan.endpoint.arguments(lastEvent: last)) { $1 }
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

/// Makes a program's HTTP server; a program that embeds a node without its HTTP API has none.
package typealias HTTPServerMaker =
    @Sendable (_ loop: EventLoop, _ api: APIServer) throws(NodeError) -> any HTTPServer
