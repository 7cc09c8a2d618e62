package import NodeCore

/// Who may currently take part in a zone, and whether sessions are opened for it. Callers compare it with the value
/// they saw before.
package struct ZoneAccess: Equatable {
    /// At least one key of each kind.
    package let keys: PlaceKeys
    /// The requested pause of sync; nil if there is none.
    package let pause: ZonePause?
    /// This node no longer belongs to the zone, so it opens no sessions for it…
    package let isOver: Bool
    /// …except to ask whether that is still so.
    package let isAsking: Bool
    /// Changes whenever somebody's standing may have ended, this node's own included.
    package let standings: UInt64
    /// Changes whenever records may become acceptable that were not before.
    package let takings: UInt64

    package init(
        keys: PlaceKeys, pause: ZonePause?, isOver: Bool = false, isAsking: Bool = false, standings: UInt64 = 0,
        takings: UInt64 = 0
    ) {
        self.keys = keys
        self.pause = pause
        self.isOver = isOver
        self.isAsking = isAsking
        self.standings = standings
        self.takings = takings
    }

    /// No sessions are opened for the zone.
    package var isClosed: Bool { pause != nil || isOver && !isAsking }
}

/// The keys of a place where sessions are opened. The same object while they are unchanged, so that they are derived
/// once and compared cheaply on every turn.
package final class PlaceKeys: Sendable {
    /// Keys that recognise beacons. Our own beacons use the first `spoken`.
    package let discovery: [Secret]
    /// At least 1.
    package let spoken: Int
    /// Our beacons use the first `lasting` at all times, the others only after a start or a change of network. At least
    /// 1.
    package let lasting: Int
    /// The pre-shared keys under which sessions are accepted. The first one is used to dial.
    package let session: [Secret]

    package init(discovery: [Secret], session: [Secret], spoken: Int = 1, lasting: Int = 1) {
        self.discovery = discovery
        self.session = session
        (self.spoken, self.lasting) = (spoken, lasting)
    }
}

extension PlaceKeys: Equatable {
    package static func == (left: PlaceKeys, right: PlaceKeys) -> Bool {
        left === right
            || (left.spoken, left.lasting) == (right.spoken, right.lasting) && isSame(left.discovery, right.discovery)
                && isSame(left.session, right.session)
    }

    private static func isSame(_ left: [Secret], _ right: [Secret]) -> Bool {
        left.elementsEqual(right) { $0 === $1 || ConstantTime.equals($0, $1) }
    }
}

/// A pause of sync: local work continues, and nothing is sent or fetched until it is resumed.
package struct ZonePause: Hashable, Sendable {
    /// The name of the app or person that paused it, in one line for the user.
    package let by: String
    package let since: WallTime

    package init(by: String, since: WallTime) {
        (self.by, self.since) = (by, since)
    }

    /// `[by, since]`
    package var encoded: [UInt8] {
        CBORWriter.array(by, since)
    }

    /// Nil for empty bytes, which mean no pause.
    package init?(stored: [UInt8]) throws(CBORError) {
        if stored.isEmpty { return nil }
        var reader = try CBORReader(stored, array: 2)
        by = try reader.readText(max: Limits.pausedByBytes)
        since = try reader.readTime()
        try reader.finish()
    }
}
