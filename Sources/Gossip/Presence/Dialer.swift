package import NodeCore

/// Decides which addresses to dial, for which place, and when.
///
/// - An address whose beacon differs, and echoes ours, is dialled at once; one that agrees, or was given or remembered,
///   while the place has fewer than eight sessions, so that a change is visible in one round trip.
/// - Each failing address backs off separately: 1 s, doubling to 60 s, with jitter; a session that has compared resets
///   it.
/// - Of two nodes that hear each other, the one with the lower beacon id dials, and the other one only if no session
///   has come about some seconds later. If both dial anyway, the engine keeps, after HELLO, the session that the lower
///   device key opened, and reports the other closed as a duplicate.
///
/// Pure: outcomes come in as events, attempts go out as actions.
package struct Dialer {
    private var random: any RandomSource
    /// Ascending by place.
    private var places: [DialerPlace] = []
    private(set) var statics: [SocketAddress] = []

    /// When `onTimer` is due.
    package private(set) var deadline: MonotonicTime?

    package init(random: any RandomSource) {
        self.random = random
    }

    /// The known addresses of a place, for display. Ascending by address.
    package func entries(place: PlaceID) -> [DialerEntry] {
        places.first { $0.place == place }?.entries ?? []
    }

    /// The origin of the address through which a session reaches its device.
    package func origin(of session: SessionID, place: PlaceID) -> PeerOrigin? {
        guard let state = places.first(where: { $0.place == place }),
            let found = state.sessions.first(where: { $0.session == session })
        else { return nil }
        if let address = found.address, let index = state.index(of: address) { return state.entries[index].origin }
        // A peer that dialled us is often also known by its beacon.
        return state.entries.filter { $0.device == found.device }.map(\.origin).min() ?? .incoming
    }

    /// Whether a device of a place was seen at that host, or the user configured it.
    package func knows(host: SocketAddress) -> Bool { places.contains { $0.knows(host: host.unmapped.with(port: 0)) } }

    /// The sessions of all places whose two ends are equal, those equal for longest first.
    package var longestSynced: [SessionID] {
        places.flatMap(\.sessions)
            .compactMap { session in session.syncedAt.map { (at: $0, session: session.session) } }
            .sorted { ($0.at, $0.session) < ($1.at, $1.session) }
            .map(\.session)
    }

    // MARK: Places and addresses

    /// Sets the full list of places. The addresses and sessions of all others are forgotten.
    package mutating func onPlaces(_ list: [PlaceID], now: MonotonicTime) {
        places = Set(list).sorted().map { place in
            places.first { $0.place == place } ?? DialerPlace(place: place)
        }
        onStatic(statics, now: now)
    }

    /// Sets the full list of addresses given by the user, for all places.
    package mutating func onStatic(_ list: [SocketAddress], now: MonotonicTime) {
        let dropped = Set(statics).subtracting(list)
        statics = list
        for index in places.indices {
            places[index].entries.removeAll { dropped.contains($0.address) && $0.state == .idle }
            for address in list { wishStanding(address, origin: .static, placeIndex: index, now: now) }
        }
        refresh()
    }

    /// Adds addresses that worked earlier.
    package mutating func onRemembered(_ list: [SocketAddress], place: PlaceID, now: MonotonicTime) {
        guard let index = placeIndex(place) else { return }
        for address in list { wishStanding(address, origin: .remembered, placeIndex: index, now: now) }
        refresh()
    }

    /// A node was heard that has heard us.
    package mutating func onSighting(_ sighting: PeerSighting, now: MonotonicTime) {
        guard let placeIndex = placeIndex(sighting.place),
            let index = places[placeIndex].learn(sighting.address, origin: .beacon, now: now)
        else { return }
        if sighting.isNewID, places[placeIndex].entries[index].busyUntil == nil {
            // The device has started or moved, so earlier failures say nothing. This happens once per id, so it costs
            // one attempt.
            places[placeIndex].entries[index].notBefore = now
        }
        if sighting.key != places[placeIndex].entries[index].key || sighting.isNewID {
            places[placeIndex].entries[index].key = sighting.key
            places[placeIndex].entries[index].refusals = 0
        }
        if sighting.isInSync {
            places[placeIndex].entries[index].differsAt = nil
        } else if places[placeIndex].entries[index].differsAt == nil {
            let wait = sighting.dialsSecond ? Limits.secondDialWait : .zero ... .milliseconds(100)
            places[placeIndex].entries[index].differsAt = now + .random(in: wait, using: &random)
        }
        if places[placeIndex].entries[index].standingAt == nil {
            let wait = sighting.dialsSecond ? Limits.secondDialWait : .zero ... .milliseconds(500)
            places[placeIndex].entries[index].standingAt = now + .random(in: wait, using: &random)
        }
        refresh()
    }

    /// Blobs of the place are missing, or no longer are.
    package mutating func onWanting(_ isWanting: Bool, place: PlaceID) {
        guard let index = placeIndex(place), places[index].isWanting != isWanting else { return }
        places[index].isWanting = isWanting
        refresh()
    }

    /// The place has new keys, that many, or comes back after a pause: results of earlier attempts are no longer valid.
    package mutating func onKeys(_ count: Int, place: PlaceID, now: MonotonicTime) {
        guard let placeIndex = placeIndex(place) else { return }
        places[placeIndex].keyCount = max(count, 1)
        for index in places[placeIndex].entries.indices {
            places[placeIndex].entries[index].key = 0
            places[placeIndex].entries[index].refusals = 0
            places[placeIndex].entries[index].notBefore = now
        }
        refresh()
    }

    /// Suspends or resumes dialling for the place.
    package mutating func onPaused(_ isPaused: Bool, place: PlaceID) {
        guard let index = placeIndex(place), places[index].isPaused != isPaused else { return }
        places[index].isPaused = isPaused
        refresh()
    }

    /// The machine woke up or the network changed: addresses that failed may work now.
    package mutating func onNetworkChange(now: MonotonicTime) {
        for placeIndex in places.indices {
            for index in places[placeIndex].entries.indices {
                places[placeIndex].entries[index].failures = 0
                places[placeIndex].entries[index].notBefore = now
                places[placeIndex].entries[index].isSelf = false
            }
        }
        refresh()
    }

    // MARK: Outcomes

    /// A session that was dialled is authenticated: that device is there.
    package mutating func onOpened(
        _ session: SessionID, device: LaneID, place: PlaceID, address: SocketAddress
    ) -> [DialAction] {
        guard let placeIndex = placeIndex(place) else { return [] }
        add(DialerSession(session: session, device: device, address: address), placeIndex: placeIndex)
        if let index = places[placeIndex].index(of: address) {
            places[placeIndex].entries[index].state = .open(session)
            places[placeIndex].entries[index].device = device
            places[placeIndex].entries[index].busyUntil = nil
            places[placeIndex].entries[index].key = places[placeIndex].entries[index].triedKey
            places[placeIndex].entries[index].refusals = 0
        }
        refresh()
        return [.remember(place: place, address: address)]
    }

    /// A session that the peer opened is authenticated. `address`: where that device accepts sessions, if known.
    package mutating func onAccepted(
        _ session: SessionID, device: LaneID, place: PlaceID, address: SocketAddress?, now: MonotonicTime
    ) {
        guard let placeIndex = placeIndex(place) else { return }
        add(DialerSession(session: session, device: device, address: nil), placeIndex: placeIndex)
        if let address, let index = places[placeIndex].learn(address, origin: .incoming, now: now) {
            places[placeIndex].entries[index].device = device
        }
        refresh()
    }

    /// An attempt failed. `isRefused`: the other end accepted, and closed when it saw our key.
    package mutating func onFailed(
        place: PlaceID, address: SocketAddress, isRefused: Bool = false, now: MonotonicTime
    ) {
        guard let placeIndex = placeIndex(place), let index = places[placeIndex].index(of: address) else { return }
        if isRefused { places[placeIndex].entries[index].refusals += 1 }
        places[placeIndex].entries[index].state = .idle
        backOff(placeIndex: placeIndex, index: index, now: now)
        refresh()
    }

    /// The device at that address speaks another version. It is retried rarely, since only an update helps.
    package mutating func onOtherVersion(place: PlaceID, address: SocketAddress, now: MonotonicTime) {
        guard let placeIndex = placeIndex(place), let index = places[placeIndex].index(of: address) else { return }
        places[placeIndex].entries[index].state = .idle
        places[placeIndex].entries[index].failures += 1
        places[placeIndex].entries[index].notBefore = now + jittered(Limits.otherVersionPause)
        refresh()
    }

    /// When the next address of the place is tried; nil if there is none to try.
    package func nextAttempt(place: PlaceID) -> MonotonicTime? {
        guard let state = places.first(where: { $0.place == place }) else { return nil }
        let occupied = state.occupied
        return state.entries.compactMap { state.due($0, occupied: occupied) }.min()
    }

    /// The device that answered at that address is this node.
    package mutating func onSelf(place: PlaceID, address: SocketAddress) {
        guard let placeIndex = placeIndex(place), let index = places[placeIndex].index(of: address) else { return }
        places[placeIndex].entries[index].state = .idle
        places[placeIndex].entries[index].isSelf = true
        refresh()
    }

    /// The peer asks for a pause, during an attempt or in a session. The end of the session is reported separately.
    package mutating func onBusy(place: PlaceID, address: SocketAddress, until: MonotonicTime, now: MonotonicTime) {
        guard let placeIndex = placeIndex(place), let index = places[placeIndex].index(of: address) else { return }
        if case .dialling = places[placeIndex].entries[index].state { places[placeIndex].entries[index].state = .idle }
        places[placeIndex].entries[index].busyUntil = min(until, now + Limits.busyMaximum)
        refresh()
    }

    /// Both sides of a session have become equal, or no longer are.
    package mutating func onSynced(_ isSynced: Bool, session: SessionID, place: PlaceID, now: MonotonicTime) {
        guard let placeIndex = placeIndex(place),
            let index = places[placeIndex].sessions.firstIndex(where: { $0.session == session })
        else { return }
        let known = places[placeIndex].sessions[index]
        places[placeIndex].sessions[index].syncedAt = isSynced ? known.syncedAt ?? now : nil
        if isSynced {
            places[placeIndex].sessions[index].hasSynced = true
            for entry in places[placeIndex].entries.indices
            where places[placeIndex].entries[entry].device == known.device {
                places[placeIndex].entries[entry].failures = 0
                places[placeIndex].entries[entry].differsAt = nil
            }
        }
        refresh()
    }

    package mutating func onClosed(_ session: SessionID, place: PlaceID, reason: CloseReason, now: MonotonicTime) {
        guard let placeIndex = placeIndex(place),
            let known = places[placeIndex].sessions.first(where: { $0.session == session })
        else { return }
        places[placeIndex].sessions.removeAll { $0.session == session }
        if let address = known.address, let index = places[placeIndex].index(of: address) {
            places[placeIndex].entries[index].state = .idle
            if known.hasSynced, !reason.isFault, !reason.isDuplicate {
                places[placeIndex].entries[index].notBefore = now + jittered(Limits.backoffMinimum)
            } else if !reason.isDuplicate {
                backOff(placeIndex: placeIndex, index: index, now: now)
            }
        }
        refresh()
    }

    // MARK: Attempts

    /// Starts the attempts that are due, and ends surplus sessions.
    package mutating func onTimer(now: MonotonicTime) -> [DialAction] {
        var actions: [DialAction] = []
        for placeIndex in places.indices {
            freeLostAttempts(placeIndex: placeIndex, now: now)
            places[placeIndex].expire(now: now)
            let place = places[placeIndex].place
            let occupied = places[placeIndex].occupied
            let due = places[placeIndex].entries
                .compactMap { entry in
                    places[placeIndex].due(entry, occupied: occupied).map { (at: $0, address: entry.address) }
                }
                .filter { $0.at <= now }
                .sorted { ($0.at, $0.address) < ($1.at, $1.address) }
            for candidate in due {
                // Each attempt takes a place, so the next one is judged again.
                guard let index = places[placeIndex].index(of: candidate.address),
                    places[placeIndex].due(places[placeIndex].entries[index], occupied: places[placeIndex].occupied)
                        != nil
                else { continue }
                places[placeIndex].entries[index].state = .dialling(since: now)
                places[placeIndex].entries[index].differsAt = nil
                places[placeIndex].entries[index].busyUntil = nil
                let key = places[placeIndex].entries[index].nextKey(of: places[placeIndex].keyCount)
                places[placeIndex].entries[index].triedKey = key
                actions.append(.dial(place: place, address: candidate.address, key: key))
            }
            if let surplus = places[placeIndex].surplus(), surplus.since <= now {
                actions.append(.close(place: place, session: surplus.session))
                // One at a time, and not again before the close could be reported.
                forgetSync(of: surplus.session, placeIndex: placeIndex, now: now)
            }
        }
        refresh()
        return actions
    }

    // MARK: Parts

    private func placeIndex(_ place: PlaceID) -> Int? {
        places.firstIndex { $0.place == place }
    }

    private mutating func wishStanding(
        _ address: SocketAddress, origin: PeerOrigin, placeIndex: Int, now: MonotonicTime
    ) {
        guard let index = places[placeIndex].learn(address, origin: origin, now: now),
            places[placeIndex].entries[index].standingAt == nil
        else { return }
        let wait = Duration.random(in: .zero ... .milliseconds(100), using: &random)
        places[placeIndex].entries[index].standingAt = now + wait
    }

    private mutating func add(_ session: DialerSession, placeIndex: Int) {
        places[placeIndex].sessions.append(session)
        places[placeIndex].sessions.sort { $0.session < $1.session }
    }

    private mutating func backOff(placeIndex: Int, index: Int, now: MonotonicTime) {
        let failures = places[placeIndex].entries[index].failures
        var wait = Limits.backoffMinimum
        for _ in 0..<min(failures, 16) where wait < Limits.backoffMaximum { wait = wait * 2 }
        places[placeIndex].entries[index].failures = failures + 1
        places[placeIndex].entries[index].notBefore = now + jittered(min(wait, Limits.backoffMaximum))
    }

    /// Between half and the whole of the wait, so that nodes that failed together do not retry together.
    private mutating func jittered(_ wait: Duration) -> Duration {
        .random(in: wait / 2...wait, using: &random)
    }

    private mutating func freeLostAttempts(placeIndex: Int, now: MonotonicTime) {
        for index in places[placeIndex].entries.indices {
            guard case .dialling(let since) = places[placeIndex].entries[index].state,
                since + Limits.attemptExpiry <= now
            else { continue }
            places[placeIndex].entries[index].state = .idle
            backOff(placeIndex: placeIndex, index: index, now: now)
        }
    }

    private mutating func forgetSync(of session: SessionID, placeIndex: Int, now: MonotonicTime) {
        guard let index = places[placeIndex].sessions.firstIndex(where: { $0.session == session }) else { return }
        places[placeIndex].sessions[index].syncedAt = now
    }

    private mutating func refresh() {
        deadline = places.flatMap { place in
            let occupied = place.occupied
            return place.entries.compactMap { entry -> MonotonicTime? in
                if case .dialling(let since) = entry.state { return since + Limits.attemptExpiry }
                return place.due(entry, occupied: occupied)
            } + [place.surplus()?.since].compactMap { $0 }
        }.min()
    }
}

/// An action for the dialer's owner.
package enum DialAction: Hashable, Sendable {
    /// Open a session with that one of the place's keys (0: that of our version); report `onOpened` or `onFailed`.
    case dial(place: PlaceID, address: SocketAddress, key: Int)
    /// Close a surplus session that was opened for a difference; report `onClosed`.
    case close(place: PlaceID, session: SessionID)
    /// Keep this address across restarts: it works.
    case remember(place: PlaceID, address: SocketAddress)
}
