package import Chat
package import Gossip
package import Node
package import NodeCore
import SyncState
package import Transport

/// A running node inside another program of this package that looks on: what `run` serves, without the commands.
///
/// Confined to the thread that calls `run()`, as everything of a node is.
package final class EmbeddedNode {
    package let loop: EventLoop
    /// Before the turn's commit: the place for local writes.
    package var beforeTurn: (MonotonicTime) -> Void = { _ in }
    /// After the turn, when all that it changed is durable and on its way.
    package var afterTurn: (MonotonicTime) -> Void = { _ in }

    private let node: LocalNode
    private let account: NodeAccount
    private let network: NodeNetwork

    /// Opens the home, whose lock is held until this object goes.
    ///
    /// - Parameter discovery: as of `run --discovery`.
    package init(home: HomeFolder, discovery: String = "off", log: Log) throws(NodeError) {
        let mode = try DiscoveryMode(discovery)
        let clock = SystemClock()
        do {
            loop = try EventLoop(clock: clock)
        } catch {
            throw NodeError(.failed, "the node cannot run: \(error)")
        }
        node = try LocalNode(
            home: home, lock: try HomeLock(home), identity: try IdentityFile.load(from: home), clock: clock)
        account = try node.account(named: nil)
        network = NodeNetwork(node: node, loop: loop, discovery: mode, log: log)
        let endTurn = loop.onTurn
        loop.onTurn = { [unowned self] now in
            beforeTurn(now)
            endTurn(now)
            afterTurn(now)
        }
    }

    /// The default account's.
    package var zone: AccountZone { account.zone }
    package var machine: NodeMachine { network.machine }
    package var isCaughtUp: Bool { network.isCaughtUp(account) }
    /// When the connection of the first session was dialled or accepted.
    package var firstSession: MonotonicTime? { network.firstSession }
    /// Bytes of beacons that left since the start.
    package var beaconBytes: UInt64 { network.beaconBytes }

    /// Bytes of the open connections, from their first one on.
    package var traffic: (sent: UInt64, received: UInt64) {
        network.connections.values.reduce(into: (0, 0)) { sum, connection in
            sum.sent += connection.stream.sentBytes
            sum.received += connection.stream.receivedBytes
        }
    }

    /// Listens there, and tells the port.
    package func listen(on address: SocketAddress) throws(Transport.SystemError) -> UInt16 {
        try network.listen(on: address)
        return network.listeners.first?.address.port ?? 0
    }

    /// Looks for a device there from now on.
    package func dial(_ address: SocketAddress) {
        network.onStatic([address])
        loop.deadline = machine.deadline
    }

    /// Takes turns until `stop()`.
    package func run() throws(Transport.SystemError) {
        try loop.run()
        network.stop()
    }

    package func stop() { loop.stop() }

    /// Leaves the files as a next start wants them.
    package func close() { node.close() }
}

/// A home that no node runs in, lent to who changes its zone directly.
package enum OfflineHome {
    /// Commits what `body` changed, and writes the indexes.
    package static func use(_ home: HomeFolder, _ body: (AccountZone) throws -> Void) throws {
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
