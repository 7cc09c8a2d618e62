package import Gossip
package import NodeCore

/// A whole node without its shells, as the world sees it. The real node and the toys that test the world conform.
///
/// What a turn throws means that the node cannot go on: its store failed. Outputs of such a turn are never performed.
package protocol SimulatedNode: AnyObject {
    /// When `onTimer` has something to do.
    var deadline: MonotonicTime? { get }
    /// What the node holds in short: two nodes with one digest hold the same.
    var digest: [UInt8] { get }

    /// The network interfaces are there, or have changed.
    func onNetwork(_ links: [PresenceLink], _ turn: Turn) throws
    func onTimer(_ turn: Turn) throws
    func onDatagram(_ bytes: [UInt8], from source: SocketAddress, interfaceIndex: UInt32, _ turn: Turn) throws
    /// A connection that the node wanted is there.
    func onOpened(_ connection: ConnectionID, _ turn: Turn) throws
    /// Somebody has connected.
    func onAccepted(_ connection: ConnectionID, from source: SocketAddress, _ turn: Turn) throws
    func onBytes(_ connection: ConnectionID, _ bytes: [UInt8], _ turn: Turn) throws
    /// The network has taken so many bytes of those sent.
    func onTaken(_ connection: ConnectionID, count: Int, _ turn: Turn) throws
    /// The peer has closed, the stream broke, or it could not be opened.
    func onClosed(_ connection: ConnectionID, _ turn: Turn) throws
    /// The user does something. Returns after it is durable.
    func perform(_ operation: WorkloadOperation, _ turn: Turn) throws -> WorkloadResult

    /// What the last turn wants done, in order.
    func takeOutputs() -> [NodeOutput]
    /// What can be seen of the node; with all messages if `isFull`.
    func observe(isFull: Bool) throws -> NodeObservation
}
