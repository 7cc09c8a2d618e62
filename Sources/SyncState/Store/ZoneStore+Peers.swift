package import NodeCore

/// What is remembered of the other devices across restarts; of this node only, never told to others.
extension ZoneStore {
    /// What was last seen of a device.
    package struct PeerNote: Hashable, Sendable {
        /// There was a session with it.
        package let seen: WallTime
        /// It held all that this node held; nil where it never did.
        package let level: WallTime?

        package init(seen: WallTime, level: WallTime?) {
            self.seen = seen
            self.level = level
        }
    }

    /// - Parameter level: nil leaves what is noted.
    package func notePeer(_ lane: LaneID, seen: WallTime, level: WallTime?) throws {
        try begin()
        statements.putPeer.bind(1, lane.bytes)
        statements.putPeer.bind(2, seen.milliseconds)
        statements.putPeer.bind(3, level?.milliseconds)
        try statements.putPeer.run()
    }

    package func peerNote(_ lane: LaneID) throws -> PeerNote? {
        statements.peer.bind(1, lane.bytes)
        defer { statements.peer.reset() }
        guard try statements.peer.step() else { return nil }
        return PeerNote(
            seen: WallTime(milliseconds: statements.peer.int(0)),
            level: statements.peer.optionalInt(1).map { WallTime(milliseconds: $0) })
    }
}
