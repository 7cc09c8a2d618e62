package import NodeCore
import SyncState

/// What a node wants done by the shell, after the turn's commits and in this order.
package enum NodeAction: Sendable {
    /// A datagram to the multicast and broadcast addresses of a link.
    case beacon([UInt8], PresenceLink)
    /// Open a connection and a session of this zone over it, through the door of that key; `opened` or `dialFailed`
    /// follows.
    case dial(zone: ZoneID, address: SocketAddress, key: Int)
    case send(SessionID, [UInt8], SendPriority)
    /// Close the connection once what was sent is on its way; nothing is to be reported of it any more.
    case close(SessionID, CloseReason)
    /// Keep this address across restarts.
    case remember(zone: ZoneID, address: SocketAddress)
    case note(zone: ZoneID, SyncNote)
}
