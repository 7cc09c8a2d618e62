package import NodeCore
package import SyncState

/// One node without its sockets: presence, who is dialled, and the reconciliation of each zone.
///
/// The shell tells it what happened, calls `endTurn` after each batch of events, and then does the actions. The
/// simulator runs the very same machine in virtual time.
package final class NodeMachine {
    struct Link {
        let zone: ZoneID
        let address: SocketAddress
        let isInitiator: Bool
        /// Whether HELLO came, and the dialer knows of the session.
        var isConnected = false
    }

    package let instance: InstanceID
    package internal(set) var presence: Presence
    package internal(set) var dialer: Dialer
    /// The zones served, in the order of their ids.
    package internal(set) var zones: [ServedZone] = []
    /// Where those are met who are not in a zone yet, in the order of their handles.
    var meetings: [ServedRendezvous] = []
    /// The one that goes on, or the last one.
    package internal(set) var pairing: Pairing?
    /// As beacons were told last.
    var isShowingPairing = false
    var links: [SessionID: Link] = [:]
    var actions: [NodeAction] = []
    var port: UInt16?
    /// The work for peers of the present turn.
    var serving = ServingShares(sessions: 0)
    /// Nobody is met for any zone. Changed by `setBackground` only.
    package internal(set) var isInBackground = false
    /// The same, since the node's keys are out of its reach. Changed by `setLocked` only.
    package internal(set) var isLocked = false

    package init(random: any RandomSource, now: MonotonicTime) {
        var random = random
        instance = random.identifier()
        presence = Presence(now: now, random: random.split())
        dialer = Dialer(random: random.split())
    }

    // MARK: Zones

    /// Serves a zone from now on.
    package func add(_ zone: any ReplicatedZone, now: MonotonicTime, rules: Rules = Rules()) {
        let sync = ZoneSync(zone: zone, instance: instance, rules: rules)
        sync.port = port
        zones.append(ServedZone(sync: sync, isInBackground: isInBackground, isLocked: isLocked, now: now))
        zones.sort { $0.id < $1.id }
        followZones(now: now)
        dialer.onKeys(zone.sessionKeys.count, zone: zone.handle, now: now)
        dialer.onPaused(zone.pause != nil || zone.isOver, zone: zone.handle, now: now)
    }

    /// Serves a zone no longer; its peers are told, and what is known of it here is forgotten.
    package func remove(_ id: ZoneID, now: MonotonicTime) {
        guard let served = zone(id) else { return }
        served.sync.shutdown()
        collect(served, now: now)
        zones.removeAll { $0.id == id }
        followZones(now: now)
    }

    /// Tells presence which zones are shown, and under which keys they are recognised.
    func showZones(now: MonotonicTime) {
        presence.onZones(zones.filter { !$0.isPaused }.map(\.presence) + shownMeetings + shownPairing, now: now)
    }

    package func zone(_ id: ZoneID) -> ServedZone? { zones.first { $0.id == id } }

    // MARK: The network

    /// Sessions are accepted on this TCP port.
    package func onListening(port: UInt16) {
        self.port = port
        presence.onListening(port: port)
        for zone in zones { zone.sync.port = port }
    }

    package func onLinks(_ list: [PresenceLink], now: MonotonicTime) {
        presence.onLinks(list, now: now)
        dialer.onNetworkChange(now: now)
    }

    package func onStatic(_ addresses: [SocketAddress], now: MonotonicTime) { dialer.onStatic(addresses, now: now) }

    package func onRemembered(_ addresses: [SocketAddress], zone: ZoneID, now: MonotonicTime) {
        dialer.onRemembered(addresses, zone: zone, now: now)
    }

    package func onWake(now: MonotonicTime) {
        presence.onWake(now: now)
        dialer.onNetworkChange(now: now)
    }

    package func onDatagram(_ bytes: [UInt8], from source: SocketAddress, link: UInt32, now: MonotonicTime) {
        for action in presence.onDatagram(bytes, from: source, interfaceIndex: link, now: now) {
            perform(action, now: now)
        }
    }

    // MARK: Sessions

    /// A session is established. `address` is the peer's: what was dialled, or where it came from; `peerKey` its
    /// static key, which only who pairs needs.
    package func onOpened(
        _ id: SessionID, zone: ZoneID, isInitiator: Bool, handshakeHash: [UInt8], peerKey: Bytes32? = nil,
        address: SocketAddress, now: MonotonicTime
    ) {
        if zone == Pairing.place {
            return openedPairing(
                id, isInitiator: isInitiator, handshakeHash: handshakeHash, peerKey: peerKey, address: address,
                now: now)
        }
        if let meeting = meeting(zone) {
            return opened(
                id, meeting, isInitiator: isInitiator, handshakeHash: handshakeHash, address: address, now: now)
        }
        guard let served = self.zone(zone), served.failure == nil, !served.isPaused else {
            turnAway(id)
            if isInitiator { dialer.onFailed(zone: zone, address: address, now: now) }
            return
        }
        links[id] = Link(zone: zone, address: address, isInitiator: isInitiator)
        served.sync.opened(id, isInitiator: isInitiator, handshakeHash: handshakeHash, now: now)
    }

    /// Until when the zone pauses, because no peer is there but such that asked for a pause.
    package func pausedUntil(zone: ZoneID, now: MonotonicTime) -> MonotonicTime? {
        guard let served = self.zone(zone), served.sync.peers.isEmpty else { return nil }
        return dialer.entries(zone: zone).compactMap(\.busyUntil).filter { $0 > now }.min()
    }

    /// A connection that was asked for did not come about.
    ///
    /// - Parameter isRefused: somebody listens there, and closed when it saw the first message of the handshake.
    package func onDialFailed(
        zone: ZoneID, address: SocketAddress, isRefused: Bool = false, now: MonotonicTime
    ) {
        if zone == Pairing.place { pairing?.onDialFailed(address, now: now) }
        dialer.onFailed(zone: zone, address: address, isRefused: isRefused, now: now)
    }

    /// A device of the zone speaks another version: there is no session until one of the two is updated.
    package func onOtherVersion(
        _ version: UInt16, zone: ZoneID, address: SocketAddress, isInitiator: Bool, now: MonotonicTime
    ) {
        if zone == Pairing.place { pairing?.onDialFailed(address, now: now) }
        guard let served = self.zone(zone) else { return }
        let place = isInitiator ? address : address.with(port: 0)
        let device = dialer.entries(zone: zone).first { $0.address == place }?.device
        served.otherVersions.note(place, version: version, device: device, now: now)
        if isInitiator { dialer.onOtherVersion(zone: zone, address: address, now: now) }
        actions.append(.note(zone: zone, .otherVersion(place, version, device)))
    }

    package func onMessage(_ bytes: [UInt8], session id: SessionID, now: MonotonicTime) {
        if let link = links[id], let meeting = meeting(link.zone) { return received(bytes, on: id, meeting) }
        if links[id]?.zone == Pairing.place { pairing?.onMessage(bytes, session: id, now: now) }
        guard let link = links[id], let served = zone(link.zone), served.failure == nil else { return }
        served.hasHeard = true
        do {
            try served.sync.received(bytes, on: id, now: now)
        } catch {
            served.failure = error
        }
    }

    /// A local call of the zone failed in its store: the turn is rolled back, and the zone rests.
    package func onStoreFailed(_ error: any Error, zone: ZoneID) {
        guard let served = self.zone(zone), served.failure == nil else { return }
        served.failure = error
    }

    /// The connection is gone, by the peer or by a fault.
    package func onClosed(_ id: SessionID, isFault: Bool, now: MonotonicTime) {
        guard let link = links.removeValue(forKey: id) else { return }
        if link.zone == Pairing.place { pairing?.onClosed(id, now: now) }
        if let meeting = meeting(link.zone) { closed(id, meeting) }
        zone(link.zone)?.sync.closed(id, now: now)
        ended(id, link, isFault ? .fault : .ended, now: now)
    }

    // MARK: Turns

    /// Takes what is to be done.
    package func takeActions() -> [NodeAction] {
        defer { actions = [] }
        return actions
    }

    /// Commits what the turn changed in each zone, and says what follows from it. A zone whose store fails is rolled
    /// back and rests; the others go on.
    package func endTurn(now: MonotonicTime, wall: WallTime) {
        serving = ServingShares(sessions: zones.reduce(0) { $0 + $1.sync.servingCount })
        for served in zones {
            served.sync.zone.store.setTime(now: now, wall: wall)
            if served.failure == nil {
                do {
                    try served.work(now: now)
                    try served.sync.endTurn(now: now)
                } catch {
                    served.failure = error
                }
            }
            if let error = served.failure, served.restsUntil == nil { rest(served, error, now: now) }
            served.hasHeard = false
            follow(served, now: now)
            collect(served, now: now)
            let digest = served.shownDigest(now: now)
            if served.announced != digest {
                let isLocal = served.sync.takeWroteLocally() || served.sync.isAsking(now: now)
                served.announced = digest
                presence.onDigest(digest, zone: served.id, isLocal: isLocal, now: now)
            }
            let isWanting = served.sync.zone.store.wantedCount > 0 || served.sync.isAsking(now: now)
            dialer.onWanting(isWanting, zone: served.id, now: now)
        }
        answerMeetings(now: now)
        onTimer(now: now)
        followPairing(now: now)
    }

    /// What the turn has made durable about the zone itself: a pause, its end, or a new version of keys.
    private func follow(_ served: ServedZone, now: MonotonicTime) {
        guard served.failure == nil else { return }
        let zone = served.sync.zone
        if served.isPaused != served.isToPause {
            served.isPaused.toggle()
            if served.isPaused { served.sync.leave(zone.pause == nil ? .shutdown : .paused) }
            dialer.onPaused(served.isPaused, zone: served.id, now: now)
            if !served.isPaused { dialer.onKeys(zone.sessionKeys.count, zone: served.id, now: now) }
            showZones(now: now)
        }
        if served.accessRevision != zone.accessRevision {
            served.accessRevision = zone.accessRevision
            actions.append(.note(zone: served.id, .accessChanged))
        }
        if served.keysRevision != zone.keysRevision {
            served.keysRevision = zone.keysRevision
            dialer.onKeys(zone.sessionKeys.count, zone: served.id, now: now)
            showZones(now: now)
        }
    }

    private func onTimer(now: MonotonicTime) {
        if let deadline = presence.deadline, deadline <= now {
            for action in presence.onTimer(now: now) { perform(action, now: now) }
        }
        if let deadline = dialer.deadline, deadline <= now {
            for action in dialer.onTimer(now: now) { perform(action) }
        }
        for served in zones {
            if let until = served.restsUntil, until <= now { revive(served, now: now) }
            guard served.failure == nil, let deadline = served.sync.deadline, deadline <= now else { continue }
            served.sync.tick(now: now)
            if served.sync.isDue { served.isDue = true }
            collect(served, now: now)
        }
    }

    /// When `endTurn` is due next, though nothing happens.
    package var deadline: MonotonicTime? {
        var times = [presence.deadline, dialer.deadline, pairing?.deadline].compactMap(\.self)
        for served in zones { times += served.deadlines }
        return (times + meetingDeadlines).min()
    }

    /// The node stops: what is queued is written, peers are told.
    package func shutdown(now: MonotonicTime, wall: WallTime) {
        for served in zones where served.failure == nil {
            do {
                try served.sync.zone.finish(now: now)
                try served.notePeersAtEnd(now: now, wall: wall)
                try served.sync.endTurn(now: now)
                try served.sync.zone.tidy()
            } catch {
                served.failure = error
            }
            served.sync.shutdown()
            collect(served, now: now)
        }
        pairing?.stop()
        followPairing(now: now)
    }

    // MARK: Actions

    private func perform(_ action: PresenceAction, now: MonotonicTime) {
        switch action {
        case .send(let bytes, let link): actions.append(.beacon(bytes, link))
        case .sighted(let sighting) where sighting.zone == Pairing.place:
            pairing?.onSighting(sighting.address, isSameRole: sighting.isInSync, now: now)
        case .sighted(let sighting): dialer.onSighting(sighting, now: now)
        }
    }

    private func perform(_ action: DialAction) {
        switch action {
        case .dial(let zone, let address, let key):
            actions.append(.dial(zone: zone, address: address, key: key))
        case .close(let zone, let session): self.zone(zone)?.sync.release(session)
        case .remember(let zone, let address): actions.append(.remember(zone: zone, address: address))
        }
    }

    /// Passes on what the engine of a zone wants done, and tells the dialer of it.
    func collect(_ served: ServedZone, now: MonotonicTime) {
        for action in served.sync.takeActions() {
            switch action {
            case .send(let id, let bytes, let priority): actions.append(.send(id, bytes, priority))
            case .close(let id, let reason):
                actions.append(.close(id, reason))
                if let link = links.removeValue(forKey: id) {
                    if case .busy(let until) = reason {
                        dialer.onBusy(zone: link.zone, address: link.address, until: until, now: now)
                    }
                    if reason == .isSelf, link.isInitiator {
                        dialer.onSelf(zone: link.zone, address: link.address, now: now)
                    }
                    ended(id, link, reason.dialerReason, now: now)
                }
            case .note(.connected(let id, let lane, let port)):
                connected(id, lane, port: port, now: now)
                actions.append(.note(zone: served.id, .connected(id, lane, port)))
            case .note(let note): actions.append(.note(zone: served.id, note))
            }
        }
        for (id, isEqual) in served.sync.takeEqualityChanges() {
            dialer.onSynced(isEqual, session: id, zone: served.id, now: now)
        }
    }

    private func connected(_ id: SessionID, _ lane: LaneID, port: UInt16?, now: MonotonicTime) {
        guard let link = links[id] else { return }
        links[id]?.isConnected = true
        zone(link.zone)?.otherVersions.forget(link.address)
        if link.isInitiator {
            for action in dialer.onOpened(
                id, device: lane, zone: link.zone, address: link.address, now: now)
            {
                perform(action)
            }
        } else {
            dialer.onAccepted(
                id, device: lane, zone: link.zone, address: port.map { link.address.with(port: $0) }, now: now)
        }
    }

    private func ended(_ id: SessionID, _ link: Link, _ reason: Dialer.CloseReason, now: MonotonicTime) {
        if link.isConnected {
            dialer.onClosed(id, zone: link.zone, reason: reason, now: now)
        } else if link.isInitiator {
            // A session that ended before HELLO is an attempt that came to nothing.
            dialer.onFailed(zone: link.zone, address: link.address, now: now)
        }
    }
}

extension CloseReason {
    var dialerReason: Dialer.CloseReason {
        switch self {
        case .duplicate, .peerLeft(.duplicate): .duplicate
        case .startedAfresh, .shutdown, .peerLeft(.startedAfresh), .peerLeft(.shutdown), .released, .busy: .ended
        case .paused, .peerLeft(.paused): .ended
        case .isSelf, .violation, .badBlob, .silent, .tooManySessions, .notMember, .peerLeft: .fault
        }
    }
}
