package import NodeCore

/// A beacon of somebody was heard who is met at one of our places.
package struct PeerSighting: Hashable, Sendable {
    package let place: PlaceID
    /// Which of the place's keys its tag was made with: 0 is the own version's.
    package let key: Int
    /// Where it accepts sessions.
    package let address: SocketAddress
    /// Its digest is ours.
    package let isInSync: Bool
    /// Its id was not known: it has started, moved or rotated, so earlier failures to reach it say little.
    package let isNewID: Bool
    /// Of two that hear each other the one with the lower beacon id dials at once; true means that we are the other and
    /// wait a moment.
    package let dialsSecond: Bool

    package init(
        place: PlaceID, key: Int, address: SocketAddress, isInSync: Bool, isNewID: Bool, dialsSecond: Bool
    ) {
        self.place = place
        self.key = key
        self.address = address
        self.isInSync = isInSync
        self.isNewID = isNewID
        self.dialsSecond = dialsSecond
    }
}
