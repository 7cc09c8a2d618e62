package import Chat
package import Gossip
package import Node
package import NodeCore
import SyncState
package import Transport

/// A running node inside another program of this package that observes it: everything `run` serves except the commands.
///
/// Confined to the thread that calls `run()`, like all of a node.
package final class EmbeddedNode {
    package let loop: EventLoop
    /// Called before the turn's commit: the place for local writes.
    package var beforeTurn: (MonotonicTime) -> Void = { _ in }
    /// Called after the turn, when its changes are durable and on their way.
    package var afterTurn: (MonotonicTime) -> Void = { _ in }

    private let node: LocalNode
    private let account: NodeAccount
    private let network: NodeNetwork

    /// Opens the home, whose lock is held as long as this object exists.
    ///
    /// - Parameter discovery: like `run --discovery`.
    package init(home: String, discovery: String = "off") throws(NodeError) {
        let (home, clock) = (HomeFolder(path: home), SystemClock())
        do {
            loop = try EventLoop(clock: clock)
        } catch {
            throw NodeError(.failed, "the node cannot run: \(error)")
        }
        node = try LocalNode(
            home: home, lock: try HomeLock(home), identity: try IdentityFile.load(from: home), clock: clock)
        account = try node.account(named: nil)
        let log = Log(output: .standardError(), least: .error)
        network = NodeNetwork(node: node, loop: loop, discovery: try DiscoveryMode(discovery), log: log)
        let endTurn = loop.onTurn
        loop.onTurn = { [unowned self] now in
            beforeTurn(now)
            endTurn(now)
            afterTurn(now)
        }
    }

    /// The zone of the default account.
    package var zone: AccountZone { account.zone }
    package var machine: NodeMachine { network.machine }
    package var isCaughtUp: Bool { network.isCaughtUp(account) }
    /// The time the first session's connection was dialled or accepted.
    package var firstSession: MonotonicTime? { network.connections.firstSession }
    /// Bytes of beacons that left since the start.
    package var beaconBytes: UInt64 { network.discovery.sentBytes }

    /// Bytes of the open connections since they were opened.
    package var traffic: (sent: UInt64, received: UInt64) {
        network.connections.all.reduce(into: (0, 0)) { sum, connection in
            sum.sent += connection.stream.sentBytes
            sum.received += connection.stream.receivedBytes
        }
    }

    /// Listens at the address and returns the port.
    package func listen(on address: SocketAddress) throws(Transport.SystemError) -> UInt16 {
        try network.listeners.listen(on: address)
        return network.listeners.address?.port ?? 0
    }

    /// Starts looking for a device at the address.
    package func dial(_ address: SocketAddress) {
        network.onStatic(names: ["\(address)"])
        loop.deadline = machine.deadline
    }

    /// Takes turns until `stop()`.
    package func run() throws(Transport.SystemError) {
        try loop.run()
        network.stop()
    }

    package func stop() { loop.stop() }

    /// Stops the node with a line for the parent if the body fails.
    func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            Worker.say("failed")
            stop()
        }
    }

    /// Leaves the files ready for the next start.
    package func close() { node.close() }
}

/// Access to the zone of a home in which no node runs, for direct changes.
package enum OfflineHome {
    /// Commits the changes of `body`, and writes the indexes.
    package static func use(_ path: String, _ body: (AccountZone) throws -> Void) throws {
        let home = HomeFolder(path: path)
        let node = try LocalNode(
            home: home, lock: try HomeLock(home), identity: try IdentityFile.load(from: home), clock: SystemClock())
        do {
            try body(try node.account(named: nil).zone)
            try node.commit()
        } catch {
            node.rollback()
            throw error
        }
        node.close()
    }
}
