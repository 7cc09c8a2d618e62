package import NodeCore
import SyncState

/// A zone that a node serves, and its condition.
package final class ServedZone: SessionPlace {
    package let sync: ZoneSync
    /// The latest error of the store; nil while it works.
    package internal(set) var failure: (any Error)?
    /// When the store will be tried again.
    package private(set) var restsUntil: MonotonicTime?
    /// Pauses of a store that fails again and again after it worked for a moment: data that it cannot take is fetched
    /// again after each.
    private var rests = 0
    private var revivedAt: MonotonicTime?
    /// The digest shown in beacons.
    var announced: ZoneDigest?
    /// No sessions are opened for it: the zone is paused (once that is durable), or the node is in the background or
    /// locked.
    package internal(set) var isPaused = false
    /// The access that presence, dialer and shell currently use.
    var access: ZoneAccess
    private let visibility: NodeVisibility
    /// When it was added.
    let addedAt: MonotonicTime
    /// The state at the last look, and since when.
    var noted: ZoneState?
    package internal(set) var stateSince: WallTime?
    /// The rate at which blobs arrive.
    package internal(set) var meter = RateMeter()
    package internal(set) var otherVersions = OtherVersions()
    /// The state of devices seen in this run.
    var peerLevels: [LaneID: PeerLevel] = [:]
    /// Whether a turn is needed although nothing came in.
    var isDue = false
    /// A peer's message was processed this turn: if the disk is full, the incoming data was refused, not a local write.
    var hasHeard = false

    /// Cursor of the slow scrub; nil if none is running.
    private var scrub: ZoneStore.ScrubCursor?
    private var scrubAt: MonotonicTime?

    /// Sessions turned away while the zone opens none.
    private var actions: [PlaceAction] = []

    init(sync: ZoneSync, visibility: NodeVisibility, now: MonotonicTime) {
        self.sync = sync
        self.visibility = visibility
        addedAt = now
        access = sync.zone.zoneAccess
        isPaused = access.isClosed
    }

    package var id: PlaceID { sync.zone.handle }

    var digest: ZoneDigest { sync.zone.store.digest }

    /// The digest for beacons. While a message is being searched for, it is nobody's digest, so that every listener
    /// takes this node to differ.
    func shownDigest(now: MonotonicTime) -> ZoneDigest {
        guard sync.isAsking(now: now) else { return digest }
        return ZoneDigest(Blake2b.hash16(digest.bytes, sync.instance.bytes, domain: "kachat asking"))
    }

    // MARK: Session place

    var shown: PresencePlace? {
        guard !isPaused else { return nil }
        let keys = sync.zone.zoneAccess.keys
        return PresencePlace(
            place: id, discoveryKeys: keys.discovery, digest: announced ?? digest, spokenKeys: keys.spoken,
            lastingKeys: keys.lasting)
    }

    /// A paused zone has no door.
    var doors: [SessionDoor] { isPaused ? [] : sync.zone.zoneAccess.keys.doors(of: id) }

    func door(_ key: Int) -> SessionDoor? { sync.zone.zoneAccess.keys.door(key, of: id) }

    func opened(_ session: OpenedSession, now: MonotonicTime) {
        guard failure == nil, !isPaused else {
            actions += PlaceAction.turningAway(session.id)
            return
        }
        sync.opened(
            session.id, isInitiator: session.isInitiator, handshakeHash: session.handshakeHash, now: now)
    }

    func received(_ bytes: [UInt8], on id: SessionID, now: MonotonicTime) {
        attempt {
            hasHeard = true
            try sync.received(bytes, on: id, now: now)
        }
    }

    func closed(_ id: SessionID, now: MonotonicTime) { sync.closed(id, now: now) }

    func foundOtherVersion(_ version: UInt16, at address: SocketAddress, device: LaneID?, now: MonotonicTime) {
        otherVersions.note(address, version: version, device: device, now: now)
        actions.append(.note(.otherVersion(address, version, device)))
    }

    func isServing(_ id: SessionID) -> Bool { sync.isServing(id) }
    func isExpecting(_ id: SessionID) -> Bool { sync.isExpecting(id) }

    func produce(on id: SessionID, budgetBytes: Int, shares: inout ServingShares) {
        attempt {
            let before = sync.counters.bytesSent
            shares.note(try sync.produce(on: id, budgetBytes: budgetBytes, rows: shares.left(for: id)), for: id)
            // The work has produced no answer yet. No socket will ask for more, so the clock does.
            if sync.counters.bytesSent == before, sync.isServing(id) { isDue = true }
        }
    }

    func takeActions() -> [PlaceAction] {
        var taken = sync.takeActions()
        if !actions.isEmpty {
            taken += actions
            actions = []
        }
        for (id, isEqual) in sync.takeEqualityChanges() { taken.append(.synced(id, isEqual)) }
        return taken
    }

    // MARK: Turns

    /// Does timed work: the zone's own, and a step of the scrub.
    func work(now: MonotonicTime) throws {
        isDue = false
        try sync.zone.work(now: now)
        try scrubSlowly(now: now)
    }

    /// Checks a few blobs at a time, one pass a day, to find rot before somebody needs the data.
    private func scrubSlowly(now: MonotonicTime) throws {
        guard let due = scrubAt else {
            scrubAt = now + Limits.firstScrubAfter
            return
        }
        guard due <= now else { return }
        var cursor = scrub ?? ZoneStore.ScrubCursor()
        let hasMore = try sync.zone.store.scrub(&cursor, blobs: Limits.scrubbedBlobs)
        scrub = hasMore ? cursor : nil
        scrubAt = now + (hasMore ? Limits.scrubPause : Limits.scrubInterval)
    }

    /// Applies changes of the zone that the turn has made durable: a pause, its end, or new keys.
    func follow() -> Change {
        let seen = access
        access = sync.zone.zoneAccess
        var change = Change(
            hasOtherKeys: seen.keys != access.keys, hasOtherStandings: seen.standings != access.standings)
        guard isPaused != (visibility.isHidden || access.isClosed) else { return change }
        isPaused.toggle()
        change.isTurned = true
        if isPaused { sync.leave(access.pause == nil ? .shutdown : .paused) }
        return change
    }

    /// The differences to the last look.
    struct Change {
        let hasOtherKeys: Bool
        let hasOtherStandings: Bool
        /// Whether the zone became paused or resumed.
        var isTurned = false
    }

    var deadlines: [MonotonicTime] {
        if let restsUntil { return [restsUntil] }
        if isDue { return [.zero] }
        return [sync.deadline, sync.zone.deadline, scrubAt].compactMap(\.self)
    }

    // MARK: Faults of the store

    /// Does something that needs the store, unless that has failed.
    func attempt(_ body: () throws -> Void) {
        guard failure == nil else { return }
        do {
            try body()
        } catch {
            failure = error
        }
    }

    /// After a failure: rolls the turn back, and rests until the store is tried again. Returns the error, or nil if the
    /// store works or rests already.
    func rest(now: MonotonicTime) -> (any Error)? {
        guard let failure, restsUntil == nil else { return nil }
        let isAgain = revivedAt.map { now - $0 < Limits.storeCalm } ?? false
        rests = isAgain ? min(rests + 1, Limits.storeRetryDoublings) : 0
        restsUntil = now + Limits.storeRetry * (1 << rests)
        sync.abandon()
        // If even the rollback fails, it is repeated with the next revival.
        try? sync.zone.rollback()
        if hasHeard, (failure as? DatabaseError)?.isDiskFull == true { try? sync.zone.store.database.noteRefusal() }
        return failure
    }

    /// Tries the store again once it has rested. True if it works.
    func revive(now: MonotonicTime) -> Bool {
        guard let until = restsUntil, until <= now else { return false }
        do {
            try sync.zone.rollback()
            try sync.zone.probe()
            failure = nil
            restsUntil = nil
            revivedAt = now
            sync.needsLook = true
            return true
        } catch {
            failure = error
            restsUntil = now + Limits.storeRetry
            // The probe's transaction must not stay open: uncommitted work would cause turn after turn.
            try? sync.zone.rollback()
            return false
        }
    }

    /// Has the store tried at the turn's end, since it may have room again.
    package func onRoom(now: MonotonicTime) {
        if restsUntil != nil { restsUntil = now }
    }

    // MARK: State

    /// - Parameter dialer: knows addresses and their next attempts.
    package func state(_ dialer: Dialer, now: MonotonicTime) -> ZoneState {
        if let failure {
            guard let obstacle = Self.obstacle(failure) else { return .error }
            return .waiting(obstacle, until: restsUntil)
        }
        if access.isOver { return .over }
        if visibility.isLocked { return .locked }
        if let pause = sync.zone.zoneAccess.pause { return .paused(by: pause.by, since: pause.since) }
        if visibility.isInBackground { return .background }
        let peers = sync.peers
        if peers.isEmpty { return alone(dialer, now: now) }
        if sync.isCaughtUp { return .synced }
        let areSettled = peers.allSatisfy(isSettled)
        // Each peer has sent all it can, and blobs are still missing that they were asked for.
        let isExpecting = peers.contains { !isStalled($0.lane) && sync.isExpecting($0.session) }
        if areSettled, !isExpecting, sync.hasAskedInVain {
            return .waiting(.absentBlobs, until: sync.nextAbsentLook)
        }
        let isStuck = areSettled && sync.store.wantedCount == 0 && !sync.zone.hasQueued
        return isStuck && !peers.allSatisfy(\.isEqual) ? .waiting(.stalled, until: nil) : .syncing
    }

    private func alone(_ dialer: Dialer, now: MonotonicTime) -> ZoneState {
        if sync.hasSessions { return .syncing }
        let entries = dialer.entries(place: id)
        if let until = entries.compactMap(\.busyUntil).filter({ $0 > now }).min() {
            return .waiting(.busy, until: until)
        }
        let next = dialer.nextAttempt(place: id)
        if !otherVersions.entries(now: now).isEmpty { return .waiting(.otherVersion, until: next) }
        if now - addedAt < Limits.lookAround { return .idle }
        return .waiting(.offline, until: next)
    }

    /// The obstacle for a temporary failure of the store; nil for a failure that somebody must fix.
    private static func obstacle(_ failure: any Error) -> ZoneState.Obstacle? {
        guard let failure = failure as? any StoreFailure else { return .store }
        if failure.isOutOfRoom { return .storageFull }
        return failure.isLasting ? nil : .store
    }

    /// Updates the zone's state and since when it holds; called now and then, not after each turn. True if it changed.
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
