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
            (self.seen, self.level) = (seen, level)
        }
    }

    /// - Parameter level: nil keeps the stored value.
    package func notePeer(_ lane: LaneID, seen: WallTime, level: WallTime?) throws {
        try begin()
        try statements.putPeer.run(lane.bytes, seen.milliseconds, level?.milliseconds)
    }

    package func peerNote(_ lane: LaneID) throws -> PeerNote? {
        return try statements.peer.first(lane.bytes) { row in
            PeerNote(
                seen: WallTime(milliseconds: row.int(0)),
                level: row.optionalInt(1).map { WallTime(milliseconds: $0) })
        }
    }

    /// How much of the blobs here another device has, in percent of their bytes, rounded down: those that had come when
    /// it held everything, and those that it wrote since. Nil if more came since than are looked at.
    package func percentHeld(by lane: LaneID, at level: WallTime) throws -> Int? {
        let all = total.held.bytes
        let own = numbers[lane].map { RowID.bounds(lane: $0, from: 0, through: Limits.highestSeq) }
        let lacked = try statements.latestBlobs.first(
            level.milliseconds, Limits.latestBlobs, own?.low ?? -1, own?.high ?? -1
        ) { $0.int(0) < Limits.latestBlobs ? Int($0.int(1)) : nil }
        return lacked.map { $0 == 0 ? 100 : min(99, max(0, all - $0) * 100 / max(1, all)) }
    }
}
