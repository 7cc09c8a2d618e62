package import NodeCore

/// Decides which addresses to dial, for which zone, and when.
///
/// - An address whose beacon differs is dialled at once; one that agrees, or was given or remembered, as long as the
///   zone has fewer than eight sessions, so that a change is visible in one round trip.
/// - Each address that fails backs off alone: 1 s, doubling to 60 s, with jitter; a session that has compared resets
///   it.
/// - Of two nodes that hear each other, the one with the lower beacon id dials first. Where both do all the same, the
///   engine keeps, after HELLO, the session that the lower device key opened, and reports the other closed as a
///   duplicate.
///
/// Pure: outcomes come in as events, attempts go out as actions.
package struct Dialer {
    /// Why a session is over.
    package enum CloseReason: Hashable, Sendable {
        /// It was closed in order, by either side, or the peer went away.
        case ended
        /// It broke a rule, or timed out.
        case fault
        /// There was another with the same device.
        case duplicate
    }

    private var random: any RandomSource
    /// Ascending by zone.
    private var zones: [DialerZone] = []
    private(set) var statics: [SocketAddress] = []

    /// When `onTimer` has something to do.
    package private(set) var deadline: MonotonicTime?

    package init(random: any RandomSource) {
        self.random = random
    }

    /// What is known of a zone's addresses, for display. Ascending by address.
    package func entries(zone: ZoneID) -> [DialerEntry] {
        zones.first { $0.zone == zone }?.entries ?? []
    }

    /// The session through which a device of the zone is reached, and how its address came to be known.
    package func origin(of session: SessionID, zone: ZoneID) -> PeerOrigin? {
        guard let state = zones.first(where: { $0.zone == zone }),
            let found = state.sessions.first(where: { $0.session == session })
        else { return nil }
        if let address = found.address, let index = state.index(of: address) { return state.entries[index].origin }
        // A peer that dialled us is often known by its beacon too.
        return state.entries.filter { $0.device == found.device }.map(\.origin).min() ?? .incoming
    }

    /// Whether a device of a zone was seen at that host, or the user gave it.
    package func knows(host: SocketAddress) -> Bool { zones.contains { $0.knows(host: host.unmapped.with(port: 0)) } }

    /// The sessions of all zones whose two ends hold the same, by since when; the longest first.
    package var longestSynced: [SessionID] {
        zones.flatMap(\.sessions)
            .compactMap { session in session.syncedAt.map { (at: $0, session: session.session) } }
            .sorted { ($0.at, $0.session) < ($1.at, $1.session) }
            .map(\.session)
    }

    // MARK: What is known

    /// The zones served: the full list. The addresses and sessions of others are forgotten. Those in `answering` are
    /// dialled where somebody was heard, and not at addresses given by the user.
    package mutating func onZones(_ list: [ZoneID], answering: [ZoneID] = [], now: MonotonicTime) {
        zones = Set(list + answering).sorted().map { zone in
            zones.first { $0.zone == zone } ?? DialerZone(zone: zone, isAnswering: answering.contains(zone))
        }
        onStatic(statics, now: now)
    }

    /// The addresses given by the user: the full list, for all zones.
    package mutating func onStatic(_ list: [SocketAddress], now: MonotonicTime) {
        let dropped = Set(statics).subtracting(list)
        statics = list
        for index in zones.indices {
            zones[index].entries.removeAll { dropped.contains($0.address) && $0.state == .idle }
            if zones[index].isAnswering { continue }
            for address in list { wishStanding(address, origin: .static, zoneIndex: index, now: now) }
        }
        refresh(now: now)
    }

    /// Addresses that worked earlier.
    package mutating func onRemembered(_ list: [SocketAddress], zone: ZoneID, now: MonotonicTime) {
        guard let index = zoneIndex(zone) else { return }
        for address in list { wishStanding(address, origin: .remembered, zoneIndex: index, now: now) }
        refresh(now: now)
    }

    /// A beacon was recognised.
    package mutating func onSighting(_ sighting: PeerSighting, now: MonotonicTime) {
        guard let zoneIndex = zoneIndex(sighting.zone),
            let index = zones[zoneIndex].learn(sighting.address, origin: .beacon, now: now)
        else { return }
        if sighting.isNewID, zones[zoneIndex].entries[index].busyUntil == nil {
            // It has come up or moved: what failed before says nothing now. Once an id, so no more than a try.
            zones[zoneIndex].entries[index].notBefore = now
        }
        if sighting.key != zones[zoneIndex].entries[index].key || sighting.isNewID {
            zones[zoneIndex].entries[index].key = sighting.key
            zones[zoneIndex].entries[index].refusals = 0
        }
        if sighting.isInSync {
            zones[zoneIndex].entries[index].differsAt = nil
        } else if zones[zoneIndex].entries[index].differsAt == nil {
            let wait: ClosedRange<Duration> =
                sighting.dialsSecond ? .milliseconds(150) ... .milliseconds(350) : .zero ... .milliseconds(100)
            zones[zoneIndex].entries[index].differsAt = now + .random(in: wait, using: &random)
        }
        if zones[zoneIndex].entries[index].standingAt == nil {
            let wait: ClosedRange<Duration> =
                sighting.dialsSecond ? .milliseconds(1_000) ... .milliseconds(2_000) : .zero ... .milliseconds(500)
            zones[zoneIndex].entries[index].standingAt = now + .random(in: wait, using: &random)
        }
        refresh(now: now)
    }

    /// Blobs of the zone are missing, or no longer so.
    package mutating func onWanting(_ isWanting: Bool, zone: ZoneID, now: MonotonicTime) {
        guard let index = zoneIndex(zone), zones[index].isWanting != isWanting else { return }
        zones[index].isWanting = isWanting
        refresh(now: now)
    }

    /// The zone has that many keys to dial with, and others than before, or it comes back after a pause: what was found
    /// out at its addresses holds no longer.
    package mutating func onKeys(_ count: Int, zone: ZoneID, now: MonotonicTime) {
        guard let zoneIndex = zoneIndex(zone) else { return }
        zones[zoneIndex].keyCount = max(count, 1)
        for index in zones[zoneIndex].entries.indices {
            zones[zoneIndex].entries[index].key = 0
            zones[zoneIndex].entries[index].refusals = 0
            zones[zoneIndex].entries[index].notBefore = now
        }
        refresh(now: now)
    }

    /// Nothing is dialled for the zone until it is no longer so.
    package mutating func onPaused(_ isPaused: Bool, zone: ZoneID, now: MonotonicTime) {
        guard let index = zoneIndex(zone), zones[index].isPaused != isPaused else { return }
        zones[index].isPaused = isPaused
        refresh(now: now)
    }

    /// The machine woke up or the network changed: what failed there may work here.
    package mutating func onNetworkChange(now: MonotonicTime) {
        for zoneIndex in zones.indices {
            for index in zones[zoneIndex].entries.indices {
                zones[zoneIndex].entries[index].failures = 0
                zones[zoneIndex].entries[index].notBefore = now
                zones[zoneIndex].entries[index].isSelf = false
            }
        }
        refresh(now: now)
    }

    // MARK: Outcomes

    /// A session that was dialled is authenticated: that device is there.
    package mutating func onOpened(
        _ session: SessionID, device: LaneID, zone: ZoneID, address: SocketAddress, now: MonotonicTime
    ) -> [DialAction] {
        guard let zoneIndex = zoneIndex(zone) else { return [] }
        add(DialerSession(session: session, device: device, address: address, openedAt: now), zoneIndex: zoneIndex)
        if let index = zones[zoneIndex].index(of: address) {
            zones[zoneIndex].entries[index].state = .open(session)
            zones[zoneIndex].entries[index].device = device
            zones[zoneIndex].entries[index].busyUntil = nil
            zones[zoneIndex].entries[index].key = zones[zoneIndex].entries[index].triedKey
            zones[zoneIndex].entries[index].refusals = 0
        }
        refresh(now: now)
        return [.remember(zone: zone, address: address)]
    }

    /// A session that the peer opened is authenticated. `address`: where that device accepts sessions, if it said so.
    package mutating func onAccepted(
        _ session: SessionID, device: LaneID, zone: ZoneID, address: SocketAddress?, now: MonotonicTime
    ) {
        guard let zoneIndex = zoneIndex(zone) else { return }
        add(DialerSession(session: session, device: device, address: nil, openedAt: now), zoneIndex: zoneIndex)
        if let address, let index = zones[zoneIndex].learn(address, origin: .incoming, now: now) {
            zones[zoneIndex].entries[index].device = device
        }
        refresh(now: now)
    }

    /// An attempt came to nothing. `isRefused`: somebody listens there, and closed when it saw our key.
    package mutating func onFailed(
        zone: ZoneID, address: SocketAddress, isRefused: Bool = false, now: MonotonicTime
    ) {
        guard let zoneIndex = zoneIndex(zone), let index = zones[zoneIndex].index(of: address) else { return }
        if isRefused { zones[zoneIndex].entries[index].refusals += 1 }
        zones[zoneIndex].entries[index].state = .idle
        backOff(zoneIndex: zoneIndex, index: index, now: now)
        refresh(now: now)
    }

    /// The device at that address speaks another version: tried again slowly, since only an update helps.
    package mutating func onOtherVersion(zone: ZoneID, address: SocketAddress, now: MonotonicTime) {
        guard let zoneIndex = zoneIndex(zone), let index = zones[zoneIndex].index(of: address) else { return }
        zones[zoneIndex].entries[index].state = .idle
        zones[zoneIndex].entries[index].failures += 1
        zones[zoneIndex].entries[index].notBefore = now + jittered(PresenceLimits.otherVersionPause)
        refresh(now: now)
    }

    /// When an address of the zone is tried next; nil where none is known, or none is to be tried.
    package func nextAttempt(zone: ZoneID) -> MonotonicTime? {
        guard let state = zones.first(where: { $0.zone == zone }) else { return nil }
        let occupied = state.occupied
        return state.entries.compactMap { state.due($0, occupied: occupied) }.min()
    }

    /// The device that answered at that address is this node.
    package mutating func onSelf(zone: ZoneID, address: SocketAddress, now: MonotonicTime) {
        guard let zoneIndex = zoneIndex(zone), let index = zones[zoneIndex].index(of: address) else { return }
        zones[zoneIndex].entries[index].state = .idle
        zones[zoneIndex].entries[index].isSelf = true
        refresh(now: now)
    }

    /// The peer asks for a pause. Works during an attempt and in a session; the session is reported closed besides.
    package mutating func onBusy(zone: ZoneID, address: SocketAddress, until: MonotonicTime, now: MonotonicTime) {
        guard let zoneIndex = zoneIndex(zone), let index = zones[zoneIndex].index(of: address) else { return }
        if case .dialling = zones[zoneIndex].entries[index].state { zones[zoneIndex].entries[index].state = .idle }
        zones[zoneIndex].entries[index].busyUntil = min(until, now + PresenceLimits.busyMaximum)
        refresh(now: now)
    }

    /// Both sides of a session hold the same now, or no longer do.
    package mutating func onSynced(_ isSynced: Bool, session: SessionID, zone: ZoneID, now: MonotonicTime) {
        guard let zoneIndex = zoneIndex(zone),
            let index = zones[zoneIndex].sessions.firstIndex(where: { $0.session == session })
        else { return }
        let known = zones[zoneIndex].sessions[index]
        zones[zoneIndex].sessions[index].syncedAt = isSynced ? known.syncedAt ?? now : nil
        if isSynced {
            zones[zoneIndex].sessions[index].hasSynced = true
            for entry in zones[zoneIndex].entries.indices where zones[zoneIndex].entries[entry].device == known.device {
                zones[zoneIndex].entries[entry].failures = 0
                zones[zoneIndex].entries[entry].differsAt = nil
            }
        }
        refresh(now: now)
    }

    package mutating func onClosed(_ session: SessionID, zone: ZoneID, reason: CloseReason, now: MonotonicTime) {
        guard let zoneIndex = zoneIndex(zone),
            let known = zones[zoneIndex].sessions.first(where: { $0.session == session })
        else { return }
        zones[zoneIndex].sessions.removeAll { $0.session == session }
        if let address = known.address, let index = zones[zoneIndex].index(of: address) {
            zones[zoneIndex].entries[index].state = .idle
            switch reason {
            case .duplicate:
                break
            case .ended where known.hasSynced:
                zones[zoneIndex].entries[index].notBefore = now + jittered(PresenceLimits.backoffMinimum)
            case .ended, .fault:
                backOff(zoneIndex: zoneIndex, index: index, now: now)
            }
        }
        refresh(now: now)
    }

    // MARK: Attempts

    /// Starts the attempts that are due, and ends sessions that are too many.
    package mutating func onTimer(now: MonotonicTime) -> [DialAction] {
        var actions: [DialAction] = []
        for zoneIndex in zones.indices {
            freeLostAttempts(zoneIndex: zoneIndex, now: now)
            zones[zoneIndex].expire(now: now)
            let zone = zones[zoneIndex].zone
            let occupied = zones[zoneIndex].occupied
            let due = zones[zoneIndex].entries
                .compactMap { entry in
                    zones[zoneIndex].due(entry, occupied: occupied).map { (at: $0, address: entry.address) }
                }
                .filter { $0.at <= now }
                .sorted { ($0.at, $0.address) < ($1.at, $1.address) }
            for candidate in due {
                // Each attempt takes a place, so the next must be judged anew.
                guard let index = zones[zoneIndex].index(of: candidate.address),
                    zones[zoneIndex].due(zones[zoneIndex].entries[index], occupied: zones[zoneIndex].occupied) != nil
                else { continue }
                zones[zoneIndex].entries[index].state = .dialling(since: now)
                zones[zoneIndex].entries[index].differsAt = nil
                zones[zoneIndex].entries[index].busyUntil = nil
                let key = zones[zoneIndex].entries[index].nextKey(of: zones[zoneIndex].keyCount)
                zones[zoneIndex].entries[index].triedKey = key
                actions.append(.dial(zone: zone, address: candidate.address, key: key))
            }
            if let surplus = zones[zoneIndex].surplus(), surplus.since <= now {
                actions.append(.close(zone: zone, session: surplus.session))
                // One at a time; not asked for again before the report has had time to come.
                forgetSync(of: surplus.session, zoneIndex: zoneIndex, now: now)
            }
        }
        refresh(now: now)
        return actions
    }

    // MARK: Parts

    private func zoneIndex(_ zone: ZoneID) -> Int? {
        zones.firstIndex { $0.zone == zone }
    }

    private mutating func wishStanding(
        _ address: SocketAddress, origin: PeerOrigin, zoneIndex: Int, now: MonotonicTime
    ) {
        guard let index = zones[zoneIndex].learn(address, origin: origin, now: now),
            zones[zoneIndex].entries[index].standingAt == nil
        else { return }
        let wait = Duration.random(in: .zero ... .milliseconds(100), using: &random)
        zones[zoneIndex].entries[index].standingAt = now + wait
    }

    private mutating func add(_ session: DialerSession, zoneIndex: Int) {
        zones[zoneIndex].sessions.append(session)
        zones[zoneIndex].sessions.sort { $0.session < $1.session }
    }

    private mutating func backOff(zoneIndex: Int, index: Int, now: MonotonicTime) {
        let failures = zones[zoneIndex].entries[index].failures
        var wait = PresenceLimits.backoffMinimum
        for _ in 0..<min(failures, 16) where wait < PresenceLimits.backoffMaximum { wait = wait * 2 }
        zones[zoneIndex].entries[index].failures = failures + 1
        zones[zoneIndex].entries[index].notBefore = now + jittered(min(wait, PresenceLimits.backoffMaximum))
    }

    /// Between half and the whole of it, so that nodes that failed together do not come back together.
    private mutating func jittered(_ wait: Duration) -> Duration {
        .random(in: wait / 2...wait, using: &random)
    }

    private mutating func freeLostAttempts(zoneIndex: Int, now: MonotonicTime) {
        for index in zones[zoneIndex].entries.indices {
            guard case .dialling(let since) = zones[zoneIndex].entries[index].state,
                since + PresenceLimits.attemptExpiry <= now
            else { continue }
            zones[zoneIndex].entries[index].state = .idle
            backOff(zoneIndex: zoneIndex, index: index, now: now)
        }
    }

    private mutating func forgetSync(of session: SessionID, zoneIndex: Int, now: MonotonicTime) {
        guard let index = zones[zoneIndex].sessions.firstIndex(where: { $0.session == session }) else { return }
        zones[zoneIndex].sessions[index].syncedAt = now
    }

    private mutating func refresh(now: MonotonicTime) {
        deadline = zones.flatMap { zone in
            let occupied = zone.occupied
            return zone.entries.compactMap { entry -> MonotonicTime? in
                if case .dialling(let since) = entry.state { return since + PresenceLimits.attemptExpiry }
                return zone.due(entry, occupied: occupied)
            } + [zone.surplus()?.since].compactMap { $0 }
        }.min()
    }
}
