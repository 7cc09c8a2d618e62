import Commands
import Glibc
import Node
import NodeCore
import Transport

/// `run`: serves everything in one loop on this thread until SIGTERM or SIGINT.
enum RunCommand {
    static let spec = CommandSpec(
        "run", summary: "Run the node: find other devices and sync until SIGTERM or Ctrl-C",
        examples: [
            "", "--json", "--listen 0.0.0.0:4711 --peer 100.64.0.7:4711", "--listen 127.0.0.1:0 --discovery lo",
        ],
        parameters: [
            ParameterSpec(
                "--listen", .hostPort,
                help: "listen address for other devices (default: port 47767 or any other, on all addresses)"),
            ParameterSpec(
                "--discovery", .discovery,
                help: "where to look for devices: usable interfaces, this machine, nowhere, or the named interfaces"),
            ParameterSpec(
                "--api", .api,
                help: "loopback address of the local API (default 127.0.0.1 and the setting api.port)"),
            ParameterSpec("--peer", .peer, repeatable: true, help: "address of a device that beacons do not reach"),
            ParameterSpec(
                "--log-level", .choice("LEVEL", Log.Level.allCases.map { "\($0)" }),
                help: "minimum log level: debug, info, warning or error (default: info; warning on a terminal)"),
            ParameterSpec(
                "--log-format", .choice("FORMAT", Log.Format.allCases.map(\.rawValue)),
                help: "text (default), or json: one object per line"),
        ])

    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let command = context.command
        let home = try context.initialisedHome()
        // A flag overrides the environment, which overrides the file.
        let settings = try SettingsFile.load(from: home, environment: context.environment)
        let options = try RunOptions(command, settings)
        let isWatched = context.output.isTerminal && !context.command.isJSON
        let log = options.log(context, isWatched: isWatched)
        let node = try open(home, context)
        defer { node.close() }
        do {
            let loop = try EventLoop(clock: context.clock)
            let service = try NodeService(node)
            service.qr = context.qr
            // For lack of room it ends, for its service manager or its user to start it again. If no store opens for
            // another reason it runs: its page and `status` say why.
            if node.accounts.isEmpty, let full = node.unopened.first(where: { $0.error.code == .storageFull }) {
                throw full.error
            }
            let network = NodeNetwork(node: node, loop: loop, discovery: options.discovery, log: log)
            network.manager = ServiceManager(context.environment, pid: getpid())
            // Without a service manager, SIGHUP means that the terminal is gone; it ends the node as it ends any
            // program.
            try loop.handleSignals(network.manager == nil ? [SIGTERM, SIGINT] : [SIGTERM, SIGINT, SIGHUP]) { signal in
                guard signal != SIGHUP else { return network.reload() }
                log.line(.info, "stopping", "signal \(signal)")
                network.manager?.ends()
                network.depart()
            }
            try network.listen(on: options.listen)
            network.onStatic(names: options.peers)
            let path = try HomeSocketPath.prepare(home, environment: context.environment)
            let api = try context.makeHTTPServer.map { maker throws(NodeError) in
                try APIServer(service: service, loop: loop, makeServer: maker, site: context.site())
            }
            if let api {
                try api.listen(onPath: path, loop: loop)
                network.servers = [api]
                try APIAddress(options.api, settings: node.settings).listen(api, loop, log)
                network.apiAddress = api.address
            }
            if isWatched {
                let screen = RunScreen(node, network, context)
                screen.greet()
                network.onlooker = ({ screen.look() }, Lookout(every: Limits.screenPause))
            } else {
                context.output.line(ready(node, network))
                for account in node.unopened {
                    log.line(.error, "account-unopened", "\(account.label): \(account.error.message)")
                }
            }
            // The node serves even if nobody reads the line.
            if let failure = context.output.takeFailure() {
                log.line(.warning, "ready-line", "cannot write the ready line: \(failure.reason)")
            }
            network.manager?.serves { [unowned network] in network.serviceStatus() }
            try loop.run()
            network.stop()
            return .done
        } catch {
            throw error as? NodeError ?? NodeError(.failed, "the node cannot run: \(error)")
        }
    }

    /// Opens the home. It waits for a command that holds the lock, which ends soon, but not for a node that serves.
    private static func open(_ home: HomeFolder, _ context: ToolContext) throws(NodeError) -> LocalNode {
        let until = context.clock.now() + .milliseconds(Limits.nodeStartMilliseconds)
        while true {
            do {
                return try LocalNode(home: home, clock: context.clock, environment: context.environment)
            } catch {
                guard error.code == .homeInUse, context.clock.now() < until,
                    try SocketLink(path: HomeSocketPath.find(home)) == nil
                else { throw error }
                usleep(20_000)
            }
        }
    }

    /// The ready line for scripts.
    private static func ready(_ node: LocalNode, _ network: NodeNetwork) -> String {
        let fields: [String: JSONValue] = [
            "event": .string("ready"), "listen": .optional(network.listeners.address?.description),
            "api": .optional(network.apiAddress), "deviceId": .optional(node.accounts.first?.lane.hex),
            "accountId": .optional(node.accounts.first?.accountID.hex), "pid": .number(getpid()),
        ]
        return String(decoding: JSONValue.object(fields).encoded, as: UTF8.self)
    }
}

/// The options of `run`: from the command line, else the environment, else the settings.
struct RunOptions {
    let discovery: DiscoveryMode
    let listen: String?
    let api: String?
    let peers: [String]
    /// Nil if nobody chose one.
    let level: Log.Level?
    let format: Log.Format

    init(_ command: ParsedCommand, _ settings: NodeSettings) throws(NodeError) {
        discovery = try DiscoveryMode(command, else: settings.value(.networkDiscovery).text)
        listen = command.text("--listen") ?? settings.value(.networkListen).text
        api = command.text("--api")
        peers = command.has("--peer") ? command.texts("--peer") : settings.peers
        let isChosen = settings.source(.logLevel) != "default"
        let level = command.text("--log-level") ?? (isChosen ? settings.value(.logLevel).text : nil)
        self.level = Log.Level.allCases.first { "\($0)" == level }
        let format = command.text("--log-format") ?? settings.value(.logFormat).text
        self.format = format.flatMap(Log.Format.init) ?? .text
    }

    /// - Parameter isWatched: a person is told in sentences what happens, and needs no lines about it.
    func log(_ context: ToolContext, isWatched: Bool) -> Log {
        Log(
            output: context.errors, least: level ?? (isWatched ? .warning : .info), format: format,
            isJournal: context.errors.isJournal(context.environment), clock: context.clock)
    }
}

extension DiscoveryMode {
    /// From `--discovery`, whose interfaces must exist, or else from the setting, whose interfaces may appear later.
    init(_ command: ParsedCommand, else setting: String? = nil) throws(NodeError) {
        try self.init(command.text("--discovery") ?? setting ?? "auto")
        guard command.has("--discovery"), let all = try? NetworkInterface.list() else { return }
        try refuseUnknown(among: all)
    }
}
