import Commands
import Glibc
import Node
import NodeCore
import Transport

/// A node that runs only while it pairs, in a home where no node is running.
///
/// A home without an identity gets one without an account; it is deleted if the pairing brings none.
final class PairingHost {
    private let network: NodeNetwork
    private let node: LocalNode
    private let home: HomeFolder
    private let isNewHome: Bool
    /// The socket on which it takes commands.
    let path: String

    init(_ context: ToolContext, home: HomeFolder, name: String, loop: EventLoop) throws(NodeError) {
        let command = context.command
        let settings = try SettingsFile.load(from: home, environment: context.environment)
        // An interface that the user left out gets no beacons while a device is added, either.
        let options = try RunOptions(command, settings)
        self.home = home
        try home.create()
        let lock = try HomeLock(home)
        isNewHome = !home.hasIdentity
        if isNewHome {
            UnfinishedRestore(home: home).discard()
            var random = SystemRandom()
            try IdentityFile.save(
                Identity(deviceSecret: Secret(random: &random, count: 32), deviceName: name, accounts: []), to: home)
        }
        node = try LocalNode(
            home: home, lock: lock, identity: try IdentityFile.load(from: home), clock: context.clock,
            environment: context.environment)
        let log = Log(output: context.errors, least: .warning)
        network = NodeNetwork(node: node, loop: loop, discovery: options.discovery, log: log)
        path = try HomeSocketPath.prepare(home, environment: context.environment)
        try network.listen(on: options.listen)
        network.onStatic(names: options.peers)
        let service = try NodeService(node)
        do {
            // Also when the terminal goes: a home made for the pairing must not stay behind without an account.
            try loop.handleSignals([SIGTERM, SIGINT, SIGHUP]) { [network] _ in network.depart() }
            guard let maker = context.makeHTTPServer else {
                throw NodeError(.failed, "this program cannot pair by itself: it has no local API")
            }
            let api = try APIServer(service: service, loop: loop, makeServer: maker)
            try api.listen(onPath: path, loop: loop)
            network.servers = [api]
        } catch {
            throw NodeError(.failed, "the node cannot run: \(error)")
        }
    }

    /// Call it once the loop has ended.
    func close() {
        network.stop()
        node.close()
        if isNewHome, node.identity.accounts.isEmpty { unlink(home.identityPath) }
    }
}
