package import Gossip
package import NodeCore

/// What a node wants done, once its turn is over and what it depends on is durable.
package enum NodeOutput: Sendable {
    /// To all on that link.
    case datagram([UInt8], PresenceLink)
    /// Open a stream; `onOpened` or `onClosed` follows.
    case connect(ConnectionID, SocketAddress)
    case send(ConnectionID, [UInt8])
    /// Close it in order: what was sent before still arrives. Nothing more is heard of it.
    case close(ConnectionID)
}
