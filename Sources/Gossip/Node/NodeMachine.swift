package import NodeCore
package import SyncState

/// One node without its sockets: presence, who is dialled, who is admitted, and the reconciliation of each zone.
///
/// The shell tells it what happened, calls `endTurn` after each batch of events, and then does the actions. The
/// simulator runs the very same machine in virtual time.
package final class NodeMachine {
    struct Link {
        let place: any SessionPlace
        let address: SocketAddress
        let isInitiator: Bool
        /// Whether HELLO came, and the dialer knows of the session.
        var isConnected = false
    }

    package let instance: InstanceID
    package private(set) var presence: Presence
    package private(set) var dialer: Dialer
    /// The zones served, in the order of their ids.
    package private(set) var zones: [ServedZone] = []
    /// Where those are met who are not in a zone yet, in the order of their ids.
    private var meetings: [ServedRendezvous] = []
    private let pairingPlace: PairingPlace
    private let visibility = NodeVisibility()
    /// Whose connections are kept.
    package private(set) var admission: AdmissionControl
    /// Devices that said in this turn who they are.
    private var newcomers: [(id: SessionID, lane: LaneID)] = []
    private var links: [SessionID: Link] = [:]
    private var actions: [NodeAction] = []
    private var port: UInt16?
    /// The work for peers of the present turn.
    private var shares = ServingShares(sessions: 0)

    package init(
        random: any RandomSource, now: MonotonicTime,
        capacity: AdmissionControl.Capacity = AdmissionControl.Capacity()
    ) {
        var random = random
        instance = random.identifier()
        presence = Presence(now: now, random: random.split())
        dialer = Dialer(random: random.split())
        admission = AdmissionControl(capacity: capacity)
        pairingPlace = PairingPlace(visibility: visibility)
    }

    // MARK: Places

    /// All of them; the zones first.
    var places: [any SessionPlace] { zones as [any SessionPlace] + meetings + [pairingPlace] }

    private func place(_ id: PlaceID) -> (any SessionPlace)? { places.first { $0.id == id } }

    package func zone(_ id: PlaceID) -> ServedZone? { zones.first { $0.id == id } }

    /// Tells presence what is shown, and under which keys it is recognised.
    private func showPlaces(now: MonotonicTime) {
        presence.onPlaces(places.compactMap(\.shown), now: now)
    }

    /// What a session that comes in may be opened with: of each place the present key, and others for devices that
    /// slept through a rotation. The present ones of all zones come first, since they are nearly always the right ones.
    package var doors: [SessionDoor] {
        let places = places
        return DoorRank.allCases.flatMap { rank in
            let doors = places.filter { $0.doorRank == rank }.map(\.doors)
            return (0..<(doors.map(\.count).max() ?? 0)).flatMap { number in
                doors.filter { number < $0.count }.map { $0[number] }
            }
        }
    }

    /// The shell has not begun to dial there yet, and need not.
    private func forgetDials(to place: PlaceID) {
        actions.removeAll { if case .dial(let door, _) = $0 { door.place == place } else { false } }
    }

    // MARK: Zones

    /// Serves a zone from now on.
    package func add(_ zone: any ReplicatedZone, now: MonotonicTime, rules: Rules = Rules()) {
        let sync = ZoneSync(zone: zone, instance: instance, rules: rules)
        sync.port = port
        let served = ServedZone(sync: sync, visibility: visibility, now: now)
        zones.append(served)
        zones.sort { $0.id < $1.id }
        followZones(now: now)
        dialer.onKeys(served.access.keys.session.count, place: served.id, now: now)
        dialer.onPaused(served.isPaused, place: served.id, now: now)
    }

    /// Serves a zone no longer; its peers are told, and what is known of it here is forgotten.
    package func remove(_ id: PlaceID, now: MonotonicTime) {
        guard let served = zone(id) else { return }
        served.sync.shutdown()
        collect(served, now: now)
        zones.removeAll { $0.id == id }
        followZones(now: now)
        forgetDials(to: id)
    }

    // MARK: Those who want into a zone, and those who let them in

    /// Seeks a member there from now on: by beacons, at the addresses given by the user, and at `hints`.
    package func add(_ rendezvous: any Rendezvous, hints: [SocketAddress] = [], now: MonotonicTime) {
        meetings.append(ServedRendezvous(rendezvous, zone: nil, port: port, visibility: visibility))
        arrangeMeetings(now: now)
        dialer.onRemembered(hints, place: rendezvous.handle, now: now)
    }

    /// Seeks nobody there any more.
    package func remove(rendezvous id: PlaceID, now: MonotonicTime) {
        guard let meeting = meetings.first(where: { $0.id == id && $0.zone == nil }) else { return }
        leaveMeetings(now: now) { $0 === meeting }
    }

    /// Dials a member of a zone at an address where one was just met.
    package func meet(zone: PlaceID, at address: SocketAddress, now: MonotonicTime) {
        dialer.onRemembered([address], place: zone, now: now)
    }

    /// A zone was taken up or dropped: whoever wants into it is met, or no longer.
    private func followZones(now: MonotonicTime) {
        for served in zones where !meetings.contains(where: { $0.zone === served }) {
            guard let rendezvous = served.sync.zone.rendezvous else { continue }
            meetings.append(ServedRendezvous(rendezvous, zone: served, port: port, visibility: visibility))
        }
        leaveMeetings(now: now) { [zones] meeting in
            meeting.zone.map { zone in !zones.contains { $0 === zone } } ?? false
        }
    }

    private func leaveMeetings(now: MonotonicTime, where isOver: (ServedRendezvous) -> Bool) {
        let left = meetings.filter(isOver)
        meetings.removeAll(where: isOver)
        arrangeMeetings(now: now)
        for meeting in left {
            meeting.leave()
            collect(meeting, now: now)
            forgetDials(to: meeting.id)
        }
    }

    private func arrangeMeetings(now: MonotonicTime) {
        meetings.sort { $0.id < $1.id }
        dialer.onPlaces(
            zones.map(\.id) + meetings.filter { $0.rendezvous.role == .seeks }.map(\.id),
            answering: meetings.filter { $0.rendezvous.role == .answers }.map(\.id), now: now)
        for meeting in meetings { dialer.onKeys(meeting.rendezvous.keys.session.count, place: meeting.id, now: now) }
        showPlaces(now: now)
    }

    // MARK: Pairing

    /// The one that goes on, or the last one.
    package var pairing: Pairing? { pairingPlace.pairing }

    /// Can be seen by devices that pair from now on. An earlier pairing is over.
    package func begin(_ pairing: Pairing, now: MonotonicTime) {
        pairingPlace.pairing?.stop()
        followPairing(now: now)
        pairingPlace.pairing = pairing
        pairingPlace.pairing?.onAddresses(dialer.statics, now: now)
        followPairing(now: now)
    }

    /// Tells the pairing what its user says, or what the shell has done. What follows is done with the end of the turn.
    package func changePairing<Failure: Error>(
        _ body: (inout Pairing) throws(Failure) -> Void
    ) throws(Failure) {
        guard var changed = pairingPlace.pairing else { return }
        defer { pairingPlace.pairing = changed }
        try body(&changed)
    }

    private func followPairing(now: MonotonicTime) {
        let mustShow = pairingPlace.endTurn(now: now)
        collect(pairingPlace, now: now)
        if mustShow { showPlaces(now: now) }
    }

    // MARK: Out of sight

    /// Nobody is met for any zone. Changed by `setBackground` only.
    package var isInBackground: Bool { visibility.isInBackground }

    /// In the background nobody is met: with the next end of a turn the peers are told, no zone is shown, and nobody is
    /// dialled. Unlike a pause it is not remembered: a node starts in the foreground.
    package func setBackground(_ isInBackground: Bool, now: MonotonicTime, wall: WallTime) {
        guard visibility.isInBackground != isInBackground else { return }
        visibility.isInBackground = isInBackground
        // The process may not live to see the foreground.
        if isInBackground { notePeers(now: now, wall: wall) }
    }

    /// The keys that the node works with are not to be used for now: nobody is met, as in the background. What is
    /// accepted locally meanwhile goes out afterwards.
    package func setLocked(_ isLocked: Bool, now: MonotonicTime, wall: WallTime) {
        guard visibility.isLocked != isLocked else { return }
        visibility.isLocked = isLocked
        if isLocked { notePeers(now: now, wall: wall) }
    }

    private func notePeers(now: MonotonicTime, wall: WallTime) {
        for served in zones where served.failure == nil {
            do {
                try served.notePeersAtEnd(now: now, wall: wall)
            } catch {
                served.failure = error
            }
        }
    }

    /// Whether each connected device of the zone holds what is durable here, and asks for nothing.
    package func hasHandedOver(_ zone: PlaceID) -> Bool {
        guard let served = self.zone(zone), served.failure == nil else { return true }
        return served.sync.peers.allSatisfy { $0.isEqual && !served.sync.isServing($0.session) }
    }

    // MARK: The network

    /// Sessions are accepted on this TCP port.
    package func onListening(port: UInt16) {
        self.port = port
        presence.onListening(port: port)
        for zone in zones { zone.sync.port = port }
        for meeting in meetings { meeting.port = port }
    }

    package func onLinks(_ list: [PresenceLink], now: MonotonicTime) {
        presence.onLinks(list, now: now)
        dialer.onNetworkChange(now: now)
    }

    package func onStatic(_ addresses: [SocketAddress], now: MonotonicTime) { dialer.onStatic(addresses, now: now) }

    package func onRemembered(_ addresses: [SocketAddress], zone: PlaceID, now: MonotonicTime) {
        dialer.onRemembered(addresses, place: zone, now: now)
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

    // MARK: Connections

    /// Somebody has connected, and may be let in by one of `doors`, unless the outcome says otherwise.
    package func onAccepted(_ id: SessionID, from address: SocketAddress) -> AdmissionControl.Outcome {
        admission.accept(id, from: address, isKnown: dialer.knows(host: address))
    }

    /// The peer of a connection that was accepted has shown that it holds the key of a door.
    package func onKeyShown(_ id: SessionID) { admission.noteKey(id) }

    /// A connection that was asked for did not come about.
    ///
    /// - Parameter isRefused: somebody listens there, and closed when it saw the first message of the handshake.
    package func onDialFailed(
        place id: PlaceID, address: SocketAddress, isRefused: Bool = false, now: MonotonicTime
    ) {
        place(id)?.dialFailed(address, now: now)
        dialer.onFailed(place: id, address: address, isRefused: isRefused, now: now)
    }

    /// A device speaks another version: there is no session until one of the two is updated.
    package func onOtherVersion(
        _ version: UInt16, place id: PlaceID, address: SocketAddress, isInitiator: Bool, now: MonotonicTime
    ) {
        guard let place = place(id) else { return }
        let shown = isInitiator ? address : address.with(port: 0)
        let device = dialer.entries(place: id).first { $0.address == shown }?.device
        guard place.foundOtherVersion(version, at: shown, device: device, now: now), isInitiator else { return }
        dialer.onOtherVersion(place: id, address: address, now: now)
    }

    /// A session is established. `address` is the peer's: what was dialled, or where it came from; `peerKey` its
    /// static key, which only who pairs needs.
    package func onOpened(
        _ id: SessionID, place placeID: PlaceID, isInitiator: Bool, handshakeHash: [UInt8], peerKey: Bytes32? = nil,
        address: SocketAddress, now: MonotonicTime
    ) {
        guard let place = place(placeID) else {
            actions += [.send(id, Message.busyForNow.encoded, .control), .close(id, .tooManySessions)]
            return
        }
        links[id] = Link(place: place, address: address, isInitiator: isInitiator)
        place.opened(
            OpenedSession(
                id: id, isInitiator: isInitiator, handshakeHash: handshakeHash, peerKey: peerKey, address: address),
            now: now)
    }

    package func onMessage(_ bytes: [UInt8], session id: SessionID, now: MonotonicTime) {
        links[id]?.place.received(bytes, on: id, now: now)
    }

    /// A connection is gone, by the peer, by a fault, or since it was to be closed: whether or not there was a session.
    package func onClosed(_ id: SessionID, isFault: Bool, now: MonotonicTime) {
        admission.end(id)
        guard let link = links.removeValue(forKey: id) else { return }
        link.place.closed(id, now: now)
        ended(id, link, isFault ? .fault : .ended, now: now)
    }

    /// A local call of the zone failed in its store: the turn is rolled back, and the zone rests.
    package func onStoreFailed(_ error: any Error, zone: PlaceID) {
        guard let served = self.zone(zone), served.failure == nil else { return }
        served.failure = error
    }

    // MARK: Room

    /// The devices that came in this turn take places among the sessions, as far as there are.
    private func admitNewcomers(now: MonotonicTime) {
        let newcomers = newcomers
        self.newcomers = []
        for (id, lane) in newcomers {
            guard let link = links[id] else { continue }
            // Who was dialled makes nobody give way.
            if !admission.hasRoom, !link.isInitiator { makeRoom(for: id, now: now) }
            if admission.establish(id) == nil {
                actions.append(.note(place: link.place.id, .connected(lane)))
            } else {
                giveWay(id, now: now)
            }
        }
    }

    /// Ends the session whose two ends have held the same for longest, since it misses least: its peer is told when to
    /// come back. Where a zone's peers still fetch from each other, nobody gives way.
    ///
    /// It is one of the newcomer's own zone, if that has its part of all sessions already, and else of a zone that has
    /// more: nobody of one zone, however many keys they have, pushes the devices of another one out.
    ///
    /// - Returns: the session that closes; nil where none can. It counts no longer, though its last words are still to
    ///   go.
    @discardableResult
    func makeRoom(for newcomer: SessionID, now: MonotonicTime) -> SessionID? {
        let own = links[newcomer]?.place.id
        let counts = zones.map { (zone: $0.id, live: $0.sync.peers.count) }
        let live = counts.reduce(0) { $0 + $1.live }
        let crowded = counts.filter { $0.live * counts.count >= live }.map(\.zone)
        let giving = crowded.filter { $0 == own || own.map(crowded.contains) != true }
        let idle = dialer.longestSynced.first { id in
            guard id != newcomer, let link = links[id], giving.contains(link.place.id),
                let served = zone(link.place.id)
            else { return false }
            return served.failure == nil && !served.sync.isBusy(id)
        }
        if let idle {
            giveWay(idle, now: now)
            admission.end(idle)
        }
        return idle
    }

    /// Ends a session for want of room: its peer is told when to come back.
    private func giveWay(_ id: SessionID, now: MonotonicTime) {
        guard let served = links[id].flatMap({ zone($0.place.id) }) else { return }
        served.sync.giveWay(id)
        collect(served, now: now)
    }

    // MARK: What peers asked for, made as their connections take it

    /// Fills a session's queue with what its peer asked for, until about `budgetBytes` are there, or the session has
    /// had its part of the turn's work: small questions may make much of it, and others wait too.
    package func produce(on id: SessionID, budgetBytes: Int, now: MonotonicTime) {
        guard let place = links[id]?.place else { return }
        place.produce(on: id, budgetBytes: budgetBytes, shares: &shares)
        collect(place, now: now)
    }

    package func isServing(_ id: SessionID) -> Bool { links[id]?.place.isServing(id) ?? false }

    /// Whether the peer of a session owes an answer: then it must not be slow.
    package func isExpecting(_ id: SessionID) -> Bool { links[id]?.place.isExpecting(id) ?? false }

    // MARK: Turns

    /// Takes what is to be done.
    package func takeActions() -> [NodeAction] {
        defer { actions = [] }
        return actions
    }

    /// Commits what the turn changed in each zone, and says what follows from it. A zone whose store fails is rolled
    /// back and rests; the others go on.
    package func endTurn(now: MonotonicTime, wall: WallTime) {
        shares = ServingShares(sessions: zones.reduce(0) { $0 + $1.sync.servingCount })
        for served in zones { endTurn(of: served, now: now, wall: wall) }
        endTurnOfMeetings(now: now)
        onTimer(now: now)
        followPairing(now: now)
        admitNewcomers(now: now)
    }

    private func endTurn(of served: ServedZone, now: MonotonicTime, wall: WallTime) {
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
            presence.onDigest(digest, place: served.id, isLocal: isLocal, now: now)
        }
        let isWanting = served.sync.zone.store.wantedCount > 0 || served.sync.isAsking(now: now)
        dialer.onWanting(isWanting, place: served.id, now: now)
    }

    /// What the turn has made durable about the zone itself.
    private func follow(_ served: ServedZone, now: MonotonicTime) {
        guard served.failure == nil else { return }
        let change = served.follow()
        let keyCount = served.access.keys.session.count
        if change.isTurned {
            dialer.onPaused(served.isPaused, place: served.id, now: now)
            if !served.isPaused { dialer.onKeys(keyCount, place: served.id, now: now) }
            showPlaces(now: now)
        }
        if change.hasOtherStandings { actions.append(.note(place: served.id, .accessChanged)) }
        if change.hasOtherKeys {
            dialer.onKeys(keyCount, place: served.id, now: now)
            showPlaces(now: now)
        }
    }

    private func endTurnOfMeetings(now: MonotonicTime) {
        var mustShow = false
        for meeting in meetings {
            meeting.endTurn(now: now)
            collect(meeting, now: now)
            let keys = meeting.rendezvous.keys
            guard meeting.keys != keys else { continue }
            meeting.keys = keys
            dialer.onKeys(keys.session.count, place: meeting.id, now: now)
            mustShow = true
        }
        if mustShow { showPlaces(now: now) }
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
        var times = [presence.deadline, dialer.deadline].compactMap(\.self)
        for place in places { times += place.deadlines }
        return times.min()
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
        pairingPlace.pairing?.stop()
        followPairing(now: now)
    }

    // MARK: Faults of a store

    /// The zone rests, and is tried again.
    private func rest(_ served: ServedZone, _ error: any Error, now: MonotonicTime) {
        served.restsUntil = now + Limits.storeRetry
        dialer.onPaused(true, place: served.id, now: now)
        served.sync.abandon()
        // What cannot even be rolled back is tried again with the next revival.
        try? served.sync.zone.rollback()
        if served.hasHeard, (error as? DatabaseError)?.isDiskFull == true {
            try? served.sync.zone.store.database.noteRefusal()
        }
        actions.append(.note(place: served.id, .storeFailed("\(error)")))
    }

    private func revive(_ served: ServedZone, now: MonotonicTime) {
        do {
            try served.sync.zone.rollback()
            try served.sync.zone.probe()
            served.failure = nil
            served.restsUntil = nil
            served.sync.needsLook = true
            dialer.onPaused(served.isPaused, place: served.id, now: now)
            actions.append(.note(place: served.id, .storeRecovered))
        } catch {
            served.failure = error
            served.restsUntil = now + Limits.storeRetry
            // The probe's transaction must not stay open: who sees uncommitted work takes turn after turn for it.
            try? served.sync.zone.rollback()
        }
    }

    // MARK: Where the zones stand

    package func state(of zone: PlaceID, now: MonotonicTime) -> ZoneState {
        self.zone(zone)?.state(dialer, now: now) ?? .idle
    }

    /// Until when the zone pauses, because no peer is there but such that asked for a pause.
    package func pausedUntil(zone: PlaceID, now: MonotonicTime) -> MonotonicTime? {
        guard let served = self.zone(zone), served.sync.peers.isEmpty else { return nil }
        return dialer.entries(place: zone).compactMap(\.busyUntil).filter { $0 > now }.min()
    }

    /// A device went away since the last look.
    package var hasUnnotedEnds: Bool { zones.contains(where: \.hasUnnotedEnd) }

    /// Looks where each zone stands, and gives those whose state changed. At the shell's pace, some twenty times a
    /// second: after each turn it would cost more than the turn.
    package func noteStates(now: MonotonicTime, wall: WallTime) -> [PlaceID] {
        zones.filter { $0.noteState(dialer, now: now, wall: wall) }.map(\.id)
    }

    // MARK: Actions

    private func perform(_ action: PresenceAction, now: MonotonicTime) {
        switch action {
        case .send(let bytes, let link): actions.append(.beacon(bytes, link))
        case .sighted(let sighting):
            guard place(sighting.place)?.sighted(sighting, now: now) != true else { return }
            dialer.onSighting(sighting, now: now)
        }
    }

    private func perform(_ action: DialAction) {
        switch action {
        case .dial(let id, let address, let key):
            if let door = place(id)?.door(key) { actions.append(.dial(door, address)) }
        case .close(let id, let session): zone(id)?.sync.release(session)
        case .remember(let id, let address): actions.append(.remember(place: id, address: address))
        }
    }

    /// Passes on what a place wants done, and tells the dialer of it.
    private func collect(_ place: any SessionPlace, now: MonotonicTime) {
        for action in place.takeActions() {
            switch action {
            case .send(let id, let bytes, let priority): actions.append(.send(id, bytes, priority))
            case .close(let id, let reason):
                actions.append(.close(id, reason))
                if let link = links.removeValue(forKey: id) { gaveUp(id, link, reason, now: now) }
            case .dial(let address):
                if let door = place.door(0) { actions.append(.dial(door, address)) }
            case .connected(let id, let lane, let port): connected(id, lane, port: port, now: now)
            case .synced(let id, let isSynced): dialer.onSynced(isSynced, session: id, place: place.id, now: now)
            case .news: actions.append(.news(place: place.id))
            case .note(let note): actions.append(.note(place: place.id, note))
            }
        }
    }

    private func connected(_ id: SessionID, _ lane: LaneID, port: UInt16?, now: MonotonicTime) {
        guard let link = links[id] else { return }
        links[id]?.isConnected = true
        newcomers.append((id, lane))
        zone(link.place.id)?.otherVersions.forget(link.address)
        if link.isInitiator {
            for action in dialer.onOpened(
                id, device: lane, place: link.place.id, address: link.address, now: now)
            {
                perform(action)
            }
        } else {
            dialer.onAccepted(
                id, device: lane, place: link.place.id, address: port.map { link.address.with(port: $0) }, now: now)
        }
    }

    /// A place has ended a session.
    private func gaveUp(_ id: SessionID, _ link: Link, _ reason: CloseReason, now: MonotonicTime) {
        if case .busy(let until) = reason {
            dialer.onBusy(place: link.place.id, address: link.address, until: until, now: now)
        }
        if reason == .isSelf, link.isInitiator {
            dialer.onSelf(place: link.place.id, address: link.address, now: now)
        }
        ended(id, link, reason, now: now)
    }

    private func ended(_ id: SessionID, _ link: Link, _ reason: CloseReason, now: MonotonicTime) {
        if link.isConnected {
            dialer.onClosed(id, place: link.place.id, reason: reason, now: now)
        } else if link.isInitiator {
            // A session that ended before HELLO is an attempt that came to nothing.
            dialer.onFailed(place: link.place.id, address: link.address, now: now)
        }
    }
}

/// What a node wants done by the shell, after the turn's commits and in this order.
package enum NodeAction: Sendable {
    /// A datagram to the multicast and broadcast addresses of a link.
    case beacon([UInt8], PresenceLink)
    /// Open a connection there and a session over it, through that door; `onOpened` or `onDialFailed` follows.
    case dial(SessionDoor, SocketAddress)
    case send(SessionID, [UInt8], SendPriority)
    /// Close the connection once what was sent is on its way. Of the session nothing is to be reported any more but
    /// the connection's end.
    case close(SessionID, CloseReason)
    /// Keep this address across restarts.
    case remember(place: PlaceID, address: SocketAddress)
    /// At a rendezvous something became known that the user waits for.
    case news(place: PlaceID)
    /// For the log.
    case note(place: PlaceID, SyncNote)
}
