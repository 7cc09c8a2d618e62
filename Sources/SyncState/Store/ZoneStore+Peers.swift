package import NodeCore

/// Notes about other devices that survive restarts. They stay on this node.
extension ZoneStore {
    /// When a device was last seen, and when it was last level.
    package struct PeerNote: Hashable, Sendable {
        /// The last session with it.
        package let seen: WallTime
        /// When it last held everything that this node held; nil if it never did.
        package let level: WallTime?

        package init(seen: WallTime, level: WallTime?) {
            self.seen = seen
            self.level = level
        }
    }

    /// - Parameter level: nil keeps the stored value.
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

    /// How much of the blobs here another device has, in percent of their bytes, rounded down: those that had come when
    /// it held everything, and those that it wrote since. Nil if more came since than are looked at.
    package func percentHeld(by lane: LaneID, at level: WallTime) throws -> Int? {
        let all = total.held.bytes
        let own = numbers[lane].map { RowID.bounds(lane: $0, from: 0, through: Limits.highestSeq) }
        let query = statements.latestBlobs
        query.bind(1, level.milliseconds)
        query.bind(2, Int64(Limits.latestBlobs))
        query.bind(3, own?.low ?? -1)
        query.bind(4, own?.high ?? -1)
        defer { query.reset() }
        guard try query.step(), query.int(0) < Limits.latestBlobs else { return nil }
        let lacked = Int(query.optionalInt(1) ?? 0)
        return lacked == 0 ? 100 : min(99, max(0, all - lacked) * 100 / max(1, all))
    }
}
