package import NodeCore

/// What the dialer asks of its surroundings.
package enum DialAction: Hashable, Sendable {
    /// Open a session under that one of the place's keys (0: the own version's); report `onOpened` or `onFailed`.
    case dial(place: PlaceID, address: SocketAddress, key: Int)
    /// Close a session that was opened for a difference and is above the number kept; report `onClosed`.
    case close(place: PlaceID, session: SessionID)
    /// Keep this address across restarts: it works.
    case remember(place: PlaceID, address: SocketAddress)
}
