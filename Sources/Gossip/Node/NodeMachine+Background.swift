package import NodeCore
import SyncState

/// The app that the node belongs to goes out of sight, and comes back.
extension NodeMachine {
    /// In the background nobody is met: with the next end of a turn the peers are told, no zone is shown, and nobody is
    /// dialled. Unlike a pause it is not remembered: a node starts in the foreground.
    package func setBackground(_ isInBackground: Bool, now: MonotonicTime, wall: WallTime) {
        guard self.isInBackground != isInBackground else { return }
        self.isInBackground = isInBackground
        for served in zones {
            served.isInBackground = isInBackground
            // The process may not live to see the foreground.
            if isInBackground { notePeers(of: served, now: now, wall: wall) }
        }
    }

    /// The keys that the node works with are not to be used for now: nobody is met, as in the background. What is
    /// accepted locally meanwhile goes out afterwards.
    package func setLocked(_ isLocked: Bool, now: MonotonicTime, wall: WallTime) {
        guard self.isLocked != isLocked else { return }
        self.isLocked = isLocked
        for served in zones {
            served.isLocked = isLocked
            if isLocked { notePeers(of: served, now: now, wall: wall) }
        }
    }

    private func notePeers(of served: ServedZone, now: MonotonicTime, wall: WallTime) {
        guard served.failure == nil else { return }
        do {
            try served.notePeersAtEnd(now: now, wall: wall)
        } catch {
            served.failure = error
        }
    }

    /// Whether each connected device of the zone holds what is durable here, and asks for nothing.
    package func hasHandedOver(_ zone: ZoneID) -> Bool {
        guard let served = self.zone(zone), served.failure == nil else { return true }
        return served.sync.peers.allSatisfy { $0.isEqual && !served.sync.isServing($0.session) }
    }
}
