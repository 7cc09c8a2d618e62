package import NodeCore

/// What a pairing wants done, in this order.
package enum PairingAction: Equatable, Sendable {
    case send(SessionID, [UInt8])
    /// Once what was sent is on its way.
    case close(SessionID)
    case dial(SocketAddress)
}
