package import NodeCore

/// What one PING and its PONG showed of a peer.
package struct PeerMeasure: Sendable {
    /// From the ping to its answer, the work of both ends included.
    package let roundTrip: Duration
    /// The peer's clock when it answered, as it says; nil where the zone does not tell it.
    package let wall: WallTime?
    /// When the answer came.
    package let at: MonotonicTime

    /// How far the peer's clock is ahead of this one's, which is `wall` at the time `now`; right to half the round
    /// trip. Nil where the peer told no time.
    package func clockAhead(wall own: WallTime, now: MonotonicTime) -> Duration? {
        wall.map { ($0 - own) + roundTrip / 2 + (now - at) }
    }
}
