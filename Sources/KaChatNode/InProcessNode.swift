import Commands
public import KaChatClient
import Node
import Synchronization

#if canImport(LocalAPI)
    import LocalAPI
#endif

/// The in-process node, for an app that should need no other program. It has its own thread, finds the user's other
/// devices and syncs their data. The app makes the same calls as to a node in another process, and those that no token
/// opens: pairing, and accounts by phrase or wallet key.
///
/// ```swift
/// if !InProcessNode.hasHome(at: path) { phrase = try InProcessNode.makeHome(at: path, name: "phone") }
/// let node = try await InProcessNode.start(home: path)
/// let client = node.client()
/// // The user has written the phrase down, and types words 3 and 17:
/// try await client.confirmPhrase([3: "abandon", 17: "zoo"])
/// ```
public final class InProcessNode: NodeTransport {
    /// Options with suitable defaults.
    public struct Options: Sendable {
        /// Discovery: `auto` on all interfaces, `lo` on this machine, `off` only the devices in `peers`.
        public var discovery = "auto"
        /// `HOST:PORT` for connections from other devices; nil: all interfaces, and the default port if it is free.
        public var listen: String?
        /// `HOST:PORT` of devices that beacons do not reach.
        public var peers: [String] = []

        public init() {}
    }

    private let hosted: HostedNode
    private let end: EndSignal

    private init(hosted: HostedNode, end: EndSignal) {
        self.hosted = hosted
        self.end = end
    }

    deinit { hosted.stop() }

    // MARK: The home

    /// True if there is a home in that folder.
    public static func hasHome(at path: String) -> Bool { HomeFolder(path: path).hasIdentity }

    /// Creates a home: the folder with the device's keys and all data, which only its owner can read. It belongs to
    /// this device; a copy is not a second device.
    ///
    /// - Parameters:
    ///   - name: the user's name for this device, up to 128 bytes.
    ///   - phrase: the 12 or 24 words of an existing account; nil for a new account. They are used and not kept.
    /// - Returns: a new account's recovery phrase, nil for an existing one. Show it, and ask for two of its words:
    ///   `NodeClient.confirmPhrase` wipes it from the device. Until then it is kept in the home.
    /// - Throws: `already-initialised`, `bad-phrase` (the message names the word), `home-not-writable`.
    public static func makeHome(at path: String, name: String, phrase: String? = nil) throws(ClientError) -> String? {
        try told { () throws(NodeError) in try HostedHome.make(HomeFolder(path: path), name: name, phrase: phrase) }
    }

    /// Creates a home for the account of a wallet app.
    ///
    /// - Parameters:
    ///   - name: the user's name for this device, up to 128 bytes.
    ///   - walletKey: the wallet's key, 64 hexadecimal digits; used and not kept.
    /// - Throws: `already-initialised`, `bad-phrase`, `home-not-writable`.
    public static func makeHome(at path: String, name: String, walletKey: String) throws(ClientError) {
        try told { () throws(NodeError) in try HostedHome.make(HomeFolder(path: path), name: name, walletKey: walletKey)
        }
    }

    /// Creates a home without an account, for a device that gets its account from another one in the room. Start it and
    /// loop over `NodeClient.joinByPairing`.
    ///
    /// - Parameter name: the user's name for this device, up to 128 bytes.
    /// - Throws: `already-initialised`, `home-not-writable`.
    public static func makeHomeForPairing(at path: String, name: String) throws(ClientError) {
        try told { () throws(NodeError) in try HostedHome.makeWithoutAccount(HomeFolder(path: path), name: name) }
    }

    private static func told<Result>(_ make: () throws(NodeError) -> Result) throws(ClientError) -> Result {
        do { return try make() } catch { throw ClientError(error) }
    }

    // MARK: Running

    /// Starts the node of a home. A home can have only one running node.
    ///
    /// - Throws: `no-identity` if there is no home, `home-in-use`, `port-in-use`, `storage`.
    public static func start(home path: String, options: Options = Options()) async throws(ClientError) -> InProcessNode
    {
        let end = EndSignal()
        let options = HostedNode.Options(
            home: HomeFolder(path: path), discovery: options.discovery, listen: options.listen, peers: options.peers,
            makeHTTPServer: httpServerMaker)
        let result = await withCheckedContinuation { continuation in
            HostedNode.start(options, started: { continuation.resume(returning: $0) }, ended: { end.signal() })
        }
        switch result {
        case .success(let hosted): return InProcessNode(hosted: hosted, end: end)
        case .failure(let error): throw ClientError(error)
        }
    }

    /// A client of the node.
    ///
    /// - Parameter account: id, beginning of the id, or label; nil for the default.
    public func client(account: String? = nil) -> NodeClient { NodeClient(transport: self, account: account) }

    /// Stops the node: it sends new data to the devices in reach within half a second and commits everything. Pending
    /// and later calls fail with `not-reachable`.
    public func stop() async {
        hosted.stop()
        await end.wait()
    }

    public func open(_ request: NodeRequest) async throws(ClientError) -> NodeAnswer {
        var headers = request.headers
        if let body = request.body {
            headers += [("Content-Type", request.bodyType), ("Content-Length", "\(body.count)")]
        }
        let direct = hosted.send(request.method.rawValue, request.target, headers: headers, body: request.body ?? [])
        // Releasing it in any way removes the request from the node.
        let body = InProcessBody(direct)
        guard case .head(let status, let headers) = try await body.part() else {
            throw ClientError(.notReachable, "the node was stopped")
        }
        return NodeAnswer(status: status, headers: headers.map { ($0.name.lowercased(), $0.value) }, body: body)
    }
}

/// Tells waiting callers that the node has ended.
private final class EndSignal: Sendable {
    private struct State {
        var isOver = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func signal() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiting.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }
}

extension ClientError {
    fileprivate init(_ error: NodeError) {
        self.init(Code(rawValue: error.code.rawValue), error.sentence.words { _ in nil })
    }
}

/// A command line tool that runs beside the app finds its node on the home's socket.
private var httpServerMaker: HTTPServerMaker? {
    #if canImport(LocalAPI)
        { loop, api throws(NodeError) in try MicrohttpdServer(loop: loop, api: api) }
    #else
        nil
    #endif
}

/// The body of an answer from the in-process node.
final class InProcessBody: NodeBody {
    private let request: DirectRequest

    init(_ request: DirectRequest) { self.request = request }

    deinit { request.leave() }

    func next() async throws(ClientError) -> [UInt8]? {
        if case .bytes(let bytes) = try await part() { bytes } else { nil }
    }

    /// The next part of the answer.
    func part() async throws(ClientError) -> DirectRequest.Part {
        let part = await request.next()
        switch part {
        case .cutOff: throw ClientError(.notReachable, "the node was stopped")
        case .cancelled: throw ClientError(.cancelled, "the task was cancelled")
        case .head, .bytes, .end: return part
        }
    }
}
