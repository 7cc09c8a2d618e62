package import Gossip
package import NodeCore
package import SyncState

/// A whole node without its shells, as seen by the world. Implemented by the real node and by toys that test the world.
///
/// If a turn throws, the node cannot continue: its store failed. The outputs of such a turn are never performed.
package protocol SimulatedNode: AnyObject {
    /// The time `onTimer` is due.
    var deadline: MonotonicTime? { get }
    /// A digest of the node's data: two nodes with the same digest hold the same.
    var digest: [UInt8] { get }

    /// The network interfaces are available, or have changed.
    func onNetwork(_ links: [PresenceLink], _ turn: Turn) throws
    func onTimer(_ turn: Turn) throws
    func onDatagram(_ bytes: [UInt8], from source: SocketAddress, interfaceIndex: UInt32, _ turn: Turn) throws
    /// A connection requested by the node is open.
    func onOpened(_ connection: ConnectionID, _ turn: Turn) throws
    /// A peer has connected.
    func onAccepted(_ connection: ConnectionID, from source: SocketAddress, _ turn: Turn) throws
    func onBytes(_ connection: ConnectionID, _ bytes: [UInt8], _ turn: Turn) throws
    /// The network has taken this many of the bytes sent.
    func onTaken(_ connection: ConnectionID, count: Int, _ turn: Turn) throws
    /// The peer has closed, the stream broke, or it could not be opened.
    func onClosed(_ connection: ConnectionID, _ turn: Turn) throws
    /// The user does something. Returns after it is durable.
    func perform(_ operation: WorkloadOperation, _ turn: Turn) throws -> WorkloadResult

    /// The outputs of the last turn, in order.
    func takeOutputs() -> [NodeOutput]
    /// The observable state of the node; with all messages if `isFull`.
    func observe(isFull: Bool) throws -> NodeObservation
    /// Checks all that is stored, as the command does; nil while there is no store.
    func scrub(_ turn: Turn) throws -> ZoneStore.ScrubReport?
}

extension SimulatedNode {
    package func scrub(_ turn: Turn) throws -> ZoneStore.ScrubReport? { nil }
}

/// The time of a node's turn, by its own clocks.
package struct Turn: Sendable {
    package let now: MonotonicTime
    /// The date that this machine believes in.
    package let wall: WallTime

    package init(now: MonotonicTime, wall: WallTime) {
        self.now = now
        self.wall = wall
    }
}

/// An output of a node, performed after its turn when everything it depends on is durable.
package enum NodeOutput: Sendable {
    /// Sent to all on that link.
    case datagram([UInt8], PresenceLink)
    /// Open a stream; `onOpened` or `onClosed` follows.
    case connect(ConnectionID, SocketAddress)
    case send(ConnectionID, [UInt8])
    /// Close it normally: data sent before still arrives. Nothing more is reported of it.
    case close(ConnectionID)
}

/// One end of a stream, as named by its node. Nodes give even ids to connections they open, the world odd ones to
/// accepted connections; no id is reused in one life of a node.
package struct ConnectionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (left: ConnectionID, right: ConnectionID) -> Bool {
        left.number < right.number
    }

    package var description: String { "c\(number)" }
}
