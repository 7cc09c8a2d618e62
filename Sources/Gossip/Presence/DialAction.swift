package import NodeCore

/// What the dialer asks of its surroundings.
package enum DialAction: Hashable, Sendable {
    /// Open a session under that one of the zone's keys (0: the own version's); report `onOpened` or `onFailed`.
    case dial(zone: ZoneID, address: SocketAddress, key: Int)
    /// Close a session that was opened for a difference and is above the number kept; report `onClosed`.
    case close(zone: ZoneID, session: SessionID)
    /// Keep this address across restarts: it works.
    case remember(zone: ZoneID, address: SocketAddress)
}
