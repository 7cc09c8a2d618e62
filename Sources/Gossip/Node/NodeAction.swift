package import NodeCore

/// What a node wants done by the shell, after the turn's commits and in this order.
package enum NodeAction: Sendable {
    /// A datagram to the multicast and broadcast addresses of a link.
    case beacon([UInt8], PresenceLink)
    /// Open a connection there and a session over it, through that door; `onOpened` or `onDialFailed` follows.
    case dial(SessionDoor, SocketAddress)
    case send(SessionID, [UInt8], SendPriority)
    /// Close the connection once what was sent is on its way. Of the session nothing is to be reported any more but
    /// the connection's end.
    case close(SessionID, CloseReason)
    /// Keep this address across restarts.
    case remember(place: PlaceID, address: SocketAddress)
    /// At a rendezvous something became known that the user waits for.
    case news(place: PlaceID)
    /// For the log.
    case note(place: PlaceID, SyncNote)
}
