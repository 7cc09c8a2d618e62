package import Gossip
package import NodeCore

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
