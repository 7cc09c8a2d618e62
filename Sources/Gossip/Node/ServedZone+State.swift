package import NodeCore
import SyncState

/// Where the zone stands, and since when.
extension ServedZone {
    /// - Parameter dialer: what is known of addresses, and when they are tried again.
    package func state(_ dialer: Dialer, now: MonotonicTime) -> ZoneState {
        if let failure {
            guard let obstacle = Self.obstacle(failure) else { return .error }
            return .waiting(obstacle, until: restsUntil)
        }
        if isLocked { return .locked }
        if let pause = sync.zone.pause { return .paused(by: pause.by, since: pause.since) }
        if isInBackground { return .background }
        let peers = sync.peers
        if peers.isEmpty { return alone(dialer, now: now) }
        if sync.isCaughtUp { return .synced }
        // Each has all that it can give, and it is not all there is.
        let isAbsent = sync.zone.store.wantedCount > 0 && peers.allSatisfy(\.isEqual) && !sync.isExpectingAny
        return isAbsent ? .waiting(.absentBlobs, until: sync.nextAbsentLook) : .syncing
    }

    private func alone(_ dialer: Dialer, now: MonotonicTime) -> ZoneState {
        if sync.hasSessions { return .syncing }
        let entries = dialer.entries(zone: id)
        if let until = entries.compactMap(\.busyUntil).filter({ $0 > now }).min() {
            return .waiting(.busy, until: until)
        }
        let next = dialer.nextAttempt(zone: id)
        if !otherVersions.entries(now: now).isEmpty { return .waiting(.otherVersion, until: next) }
        if now - addedAt < Limits.lookAround { return .idle }
        return .waiting(.offline, until: next)
    }

    /// What a failure of the store keeps the zone waiting for; nil for one that stays until somebody sees to it.
    private static func obstacle(_ failure: any Error) -> ZoneState.Obstacle? {
        guard let failure = failure as? any StoreFailure else { return .store }
        if failure.isOutOfRoom { return .storageFull }
        return failure.isLasting ? nil : .store
    }

    /// Looks where the zone stands, and notes since when; to be called after a turn, not in each. True where that
    /// changed.
    func noteState(_ dialer: Dialer, now: MonotonicTime, wall: WallTime) -> Bool {
        meter.note(sync.zone.store.fetched, now: now)
        notePeers(now: now, wall: wall)
        let current = state(dialer, now: now)
        guard let noted, noted.isLike(current) else {
            noted = current
            stateSince = wall
            return true
        }
        return false
    }
}
