import Chat
import Glibc
package import Node
import NodeCore
import Transport

/// A node in its own thread inside another program. It serves what `run` serves, but the local API takes calls instead
/// of connections. The command line finds it on the home's socket, like any node.
package final class HostedNode: Sendable {
    /// The options of `run`.
    package struct Options: Sendable {
        package let home: HomeFolder
        package let discovery: String
        /// `HOST:PORT`; nil for all interfaces, with the usual port if it is free.
        package let listen: String?
        package let peers: [String]
        /// Serves the home's socket for command lines; nil if the program has no HTTP server.
        let makeHTTPServer: HTTPServerMaker?

        package init(
            home: HomeFolder, discovery: String, listen: String?, peers: [String], makeHTTPServer: HTTPServerMaker?
        ) {
            self.home = home
            self.discovery = discovery
            self.listen = listen
            self.peers = peers
            self.makeHTTPServer = makeHTTPServer
        }
    }

    private let loop: LoopHandle
    private let parts: Parts

    private init(loop: LoopHandle, parts: Parts) {
        self.loop = loop
        self.parts = parts
    }

    /// Begins a request; the result gives its answer. It is cut off at once if the node has stopped.
    package func send(
        _ method: String, _ target: String, headers: [(name: String, value: String)], body: [UInt8]
    ) -> DirectRequest {
        let head = HTTPRequest(
            source: .home, method: method, target: target, headers: headers.map { ($0.name.lowercased(), $0.value) })
        let request = DirectRequest(head, body: body) { [loop] in loop.wake() }
        let isTaken = loop.submit { [parts] in parts.server?.begin(request) }
        if !isTaken { request.cutOff() }
        return request
    }

    /// Asks the node to end, as a signal does: it hands over new data first. `ended` is called when it has ended.
    package func stop() { loop.submit { [parts] in parts.network?.depart() } }

    // MARK: The thread

    /// - Parameters:
    ///   - started: called at the thread's start.
    ///   - ended: called at its end.
    package static func start(
        _ options: Options, started: @escaping @Sendable (Result<HostedNode, NodeError>) -> Void,
        ended: @escaping @Sendable () -> Void
    ) {
        let hasThread = DetachedThread.start {
            serve(options, started)
            ended()
        }
        guard !hasThread else { return }
        started(.failure(NodeError(.failed, "the system allows no thread for the node")))
        ended()
    }

    private static func serve(_ options: Options, _ started: (Result<HostedNode, NodeError>) -> Void) {
        let parts = Parts()
        do {
            try run(options, parts) { started(.success($0)) }
        } catch  where parts.network == nil {
            started(.failure(error as? NodeError ?? NodeError(.failed, "the node cannot run: \(error)")))
        } catch {
            // The loop's descriptors failed: requests are cut off, as if the node was stopped.
        }
        parts.server?.stop()
        parts.server = nil
        parts.network = nil
    }

    private static func run(_ options: Options, _ parts: Parts, _ didStart: (HostedNode) -> Void) throws {
        let home = options.home
        let clock = SystemClock()
        let loop = try EventLoop(clock: clock)
        let node = try LocalNode(home: home, clock: clock, environment: .ofProcess())
        defer { node.close() }
        // Without an open store there is nothing to serve.
        if node.accounts.isEmpty, let first = node.unopened.first { throw first.error }
        let log = Log(output: .standardError(), least: .warning)
        let network = NodeNetwork(node: node, loop: loop, discovery: try DiscoveryMode(options.discovery), log: log)
        try network.listen(on: options.listen)
        network.onStatic(names: options.peers)
        let path = try HomeSocketPath.prepare(home, environment: .ofProcess())
        let service = try NodeService(node)
        let api = try APIServer(service: service, loop: loop) { _, api in DirectServer(api: api) }
        network.servers = [api]
        if let maker = options.makeHTTPServer {
            let home = try APIServer(service: service, loop: loop, makeServer: maker)
            try home.listen(onPath: path, loop: loop)
            network.servers.append(home)
        }
        (parts.network, parts.server) = (network, api.server as? DirectServer)
        didStart(HostedNode(loop: loop.handle, parts: parts))
        try loop.run()
        network.stop()
    }
}

/// The node's parts for jobs of the loop; only its thread uses them. Empty once the node has ended.
private final class Parts: @unchecked Sendable {
    var network: NodeNetwork?
    var server: DirectServer?
}

/// `init` for a program that contains the node.
package enum HostedHome {
    /// Makes a home with one account.
    ///
    /// - Parameters:
    ///   - name: the device's name.
    ///   - phrase: the recovery phrase of the account to join; nil for a new account.
    /// - Returns: a new account's phrase; nil if one was given.
    package static func make(_ home: HomeFolder, name: String, phrase: String?) throws(NodeError) -> String? {
        try make(home, name: name, try phrase.map { text throws(NodeError) in try AccountAddition(phrase: text) })
    }

    /// Makes a home with the account of a wallet's key, 64 hexadecimal digits.
    package static func make(_ home: HomeFolder, name: String, walletKey: String) throws(NodeError) {
        _ = try make(home, name: name, try AccountAddition(walletKey: walletKey))
    }

    /// Makes a home without an account: pairing brings one.
    package static func makeWithoutAccount(_ home: HomeFolder, name: String) throws(NodeError) {
        try NewHome.makeWithoutAccount(home, name: try NewHome.checked(name: name))
    }

    private static func make(
        _ home: HomeFolder, name: String, _ addition: AccountAddition?
    ) throws(NodeError) -> String? {
        let node = try NewHome.make(
            home, name: try NewHome.checked(name: name), addition, clock: SystemClock(),
            environment: .ofProcess())
        defer { node.close() }
        return try node.phrase(of: node.accounts[0])?.joined(separator: " ")
    }
}
