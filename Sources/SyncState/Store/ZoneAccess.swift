package import NodeCore

/// Who may take part in a zone at present, and whether anybody is met for it. Whoever looks again compares it with what
/// it saw before.
package struct ZoneAccess: Equatable {
    /// At least one of each kind.
    package let keys: PlaceKeys
    /// Somebody wants nothing sent or fetched for now; nil where nobody does.
    package let pause: ZonePause?
    /// This node does not belong to the zone any more: nobody is met for it.
    package let isOver: Bool
    /// Another number whenever somebody's standing may have ended, this node's own too.
    package let standings: UInt64
    /// Another number whenever records may be taken that were not before.
    package let takings: UInt64

    package init(
        keys: PlaceKeys, pause: ZonePause?, isOver: Bool = false, standings: UInt64 = 0, takings: UInt64 = 0
    ) {
        self.keys = keys
        self.pause = pause
        self.isOver = isOver
        self.standings = standings
        self.takings = takings
    }

    /// Nobody is to be met for the zone.
    package var isClosed: Bool { pause != nil || isOver }
}

/// The keys of a place where sessions are opened. One object as long as they stay the same, so that they are made once
/// and compared at every turn.
package final class PlaceKeys: Sendable {
    /// Recognise beacons. Own beacons speak with the first `spoken`.
    package let discovery: [Secret]
    /// At least 1.
    package let spoken: Int
    /// The pre-shared keys under which sessions are accepted. The first is the one to dial with.
    package let session: [Secret]

    package init(discovery: [Secret], session: [Secret], spoken: Int = 1) {
        self.discovery = discovery
        self.session = session
        self.spoken = spoken
    }
}

extension PlaceKeys: Equatable {
    package static func == (left: PlaceKeys, right: PlaceKeys) -> Bool {
        left === right
            || left.spoken == right.spoken && isSame(left.discovery, right.discovery)
                && isSame(left.session, right.session)
    }

    private static func isSame(_ left: [Secret], _ right: [Secret]) -> Bool {
        left.elementsEqual(right) { $0 === $1 || ConstantTime.equals($0, $1) }
    }
}
