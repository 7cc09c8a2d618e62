package import NodeCore
package import SyncState

/// One node without its sockets: presence, dialling, admission, and the reconciliation of each zone.
///
/// The shell reports events, calls `endTurn` after each batch of them, and then performs the actions. The simulator
/// runs the same machine in virtual time.
package final class NodeMachine {
    struct Link {
        let place: any SessionPlace
        let address: SocketAddress
        let isInitiator: Bool
        /// HELLO has arrived, and the dialer knows of the session.
        var isConnected = false
    }

    package let instance: InstanceID
    package private(set) var presence: Presence
    package private(set) var dialer: Dialer
    /// The served zones, in order of their ids.
    package private(set) var zones: [ServedZone] = []
    /// The rendezvous where outsiders and members meet, in order of their ids.
    private var meetings: [ServedRendezvous] = []
    private let pairingPlace: PairingPlace
    private let visibility = NodeVisibility()
    /// Changes with `doors`.
    package private(set) var doorsRevision: UInt64 = 0
    /// Decides which connections are kept.
    package private(set) var admission: AdmissionControl
    /// Devices that identified themselves in this turn.
    private var newcomers: [(id: SessionID, lane: LaneID)] = []
    private var links: [SessionID: Link] = [:]
    private var actions: [NodeAction] = []
    private var port: UInt16?
    /// The current turn's budget of work for peers.
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

    /// All places, zones first.
    var places: [any SessionPlace] { zones as [any SessionPlace] + meetings + [pairingPlace] }

    private func place(_ id: PlaceID) -> (any SessionPlace)? { places.first { $0.id == id } }

    package func zone(_ id: PlaceID) -> ServedZone? { zones.first { $0.id == id } }

    /// Tells presence which places to show and which keys to recognise.
    private func showPlaces(now: MonotonicTime) {
        doorsRevision &+= 1
        presence.onPlaces(places.compactMap(\.shown), now: now)
    }

    /// The keys that an incoming session may use. If two places have one key, the first one gets the session.
    package var doors: [SessionDoor] { places.flatMap(\.doors) }

    /// Drops dial requests to this place that the shell has not started.
    private func forgetDials(to place: PlaceID) {
        actions.removeAll { if case .dial(let door, _) = $0 { door.place == place } else { false } }
    }

    // MARK: Zones

    /// Serves a zone from now on.
    package func add(_ zone: any ReplicatedZone, now: MonotonicTime) {
        let sync = ZoneSync(zone: zone, instance: instance)
        sync.port = port
        let served = ServedZone(sync: sync, visibility: visibility, now: now)
        zones.append(served)
        zones.sort { $0.id < $1.id }
        followZones(now: now)
        dialer.onKeys(served.access.keys.session.count, place: served.id, now: now)
        dialer.onPaused(served.isPaused, place: served.id)
    }

    /// Stops serving a zone: tells its peers and forgets what is known of it here.
    package func remove(_ id: PlaceID, now: MonotonicTime) {
        guard let served = zone(id) else { return }
        served.sync.abandon()
        collect(served, now: now)
        zones.removeAll { $0.id == id }
        followZones(now: now)
        forgetDials(to: id)
    }

    // MARK: Rendezvous

    /// Starts seeking a member there: by beacons, at the addresses given by the user, and at `hints`.
    package func add(_ rendezvous: any Rendezvous, hints: [SocketAddress] = [], now: MonotonicTime) {
        meetings.append(ServedRendezvous(rendezvous, zone: nil, visibility: visibility))
        arrangeMeetings(now: now)
        dialer.onRemembered(hints, place: rendezvous.handle, now: now)
    }

    /// Stops seeking there.
    package func remove(rendezvous id: PlaceID, now: MonotonicTime) {
        guard let meeting = meetings.first(where: { $0.id == id && $0.zone == nil }) else { return }
        leaveMeetings(now: now) { $0 === meeting }
    }

    /// Dials a member of a zone at an address where one was just met.
    package func meet(zone: PlaceID, at address: SocketAddress, now: MonotonicTime) {
        dialer.onRemembered([address], place: zone, now: now)
    }

    /// Opens or closes rendezvous after a zone was added or removed.
    private func followZones(now: MonotonicTime) {
        for served in zones where !meetings.contains(where: { $0.zone === served }) {
            guard let rendezvous = served.sync.zone.rendezvous else { continue }
            meetings.append(ServedRendezvous(rendezvous, zone: served, visibility: visibility))
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
            zones.map(\.id) + meetings.filter { $0.rendezvous.role == .seeks }.map(\.id), now: now)
        for meeting in meetings { dialer.onKeys(meeting.rendezvous.keys.session.count, place: meeting.id, now: now) }
        showPlaces(now: now)
    }

    // MARK: Pairing

    /// The current pairing, or the last one.
    package var pairing: Pairing? { pairingPlace.pairing }

    /// Makes this node visible to pairing devices. Ends an earlier pairing.
    package func begin(_ pairing: Pairing, now: MonotonicTime) {
        pairingPlace.pairing?.stop()
        followPairing(now: now)
        pairingPlace.pairing = pairing
        pairingPlace.pairing?.onAddresses(dialer.statics, now: now)
        followPairing(now: now)
    }

    /// Passes a decision of the user, or a result of the shell, to the pairing. Its effects follow at the end of the
    /// turn.
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

    // MARK: Background

    /// No sessions are opened for any zone. Changed only by `setBackground`.
    package var isInBackground: Bool { visibility.isInBackground }

    /// In the background no sessions are open: at the end of the turn the peers are told, no zone is shown, and nothing
    /// is dialled. Unlike a pause this is not remembered: a node starts in the foreground.
    package func setBackground(_ isInBackground: Bool, now: MonotonicTime, wall: WallTime) {
        guard visibility.isInBackground != isInBackground else { return }
        visibility.isInBackground = isInBackground
        // The process may be ended before it returns to the foreground.
        if isInBackground { notePeers(now: now, wall: wall) }
    }

    /// While the node's keys must not be used, no sessions are open, as in the background. Changes accepted locally
    /// meanwhile are sent afterwards.
    package func setLocked(_ isLocked: Bool, now: MonotonicTime, wall: WallTime) {
        guard visibility.isLocked != isLocked else { return }
        visibility.isLocked = isLocked
        if isLocked { notePeers(now: now, wall: wall) }
    }

    private func notePeers(now: MonotonicTime, wall: WallTime) {
        for served in zones { served.attempt { try served.notePeersAtEnd(now: now, wall: wall) } }
    }

    /// Whether each connected device of the zone holds everything durable here, and requests nothing.
    package func hasHandedOver(_ zone: PlaceID) -> Bool {
        guard let served = self.zone(zone), served.failure == nil else { return true }
        return served.sync.peers.allSatisfy { $0.isEqual && !served.sync.isServing($0.session) }
    }

    // MARK: The network

    /// Reports that sessions are accepted on this TCP port.
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

    /// A peer has connected, and may be admitted by one of `doors`. Returns the connection to close in its favour, if
    /// any.
    package func onAccepted(_ id: SessionID, from address: SocketAddress) -> SessionID? {
        admission.accept(id, from: address, isKnown: dialer.knows(host: address))
    }

    /// A requested connection could not be opened.
    ///
    /// - Parameter isRefused: the other end accepted, and closed when it saw the first message of the handshake.
    package func onDialFailed(
        place id: PlaceID, address: SocketAddress, isRefused: Bool = false, now: MonotonicTime
    ) {
        place(id)?.dialFailed(address, now: now)
        dialer.onFailed(place: id, address: address, isRefused: isRefused, now: now)
    }

    /// A session is established: its peer holds the key of one of `doors`, or answered a dialled one. `address` is the
    /// peer's: the one dialled, or where it came from.
    ///
    /// - Returns: the accepted connection to close in its favour, if any.
    package func onOpened(
        _ id: SessionID, place placeID: PlaceID, isInitiator: Bool, handshakeHash: [UInt8], address: SocketAddress,
        now: MonotonicTime
    ) -> SessionID? {
        let displaced = isInitiator ? nil : admission.noteKey(id)
        guard let place = place(placeID) else {
            actions += [.send(id, Message.busyForNow.encoded, .control), .close(id, .tooManySessions)]
            return displaced
        }
        links[id] = Link(place: place, address: address, isInitiator: isInitiator)
        place.opened(
            OpenedSession(id: id, isInitiator: isInitiator, handshakeHash: handshakeHash, address: address), now: now)
        return displaced
    }

    package func onMessage(_ bytes: [UInt8], session id: SessionID, now: MonotonicTime) {
        links[id]?.place.received(bytes, on: id, now: now)
    }

    /// A connection ended: closed by the peer, by a fault, or by us, with or without a session.
    package func onClosed(_ id: SessionID, isFault: Bool, now: MonotonicTime) {
        admission.end(id)
        guard let link = links.removeValue(forKey: id) else { return }
        link.place.closed(id, now: now)
        ended(id, link, isFault ? .fault : .ended, now: now)
    }

    /// A local operation of the zone failed in its store: the turn is rolled back, and the zone rests.
    package func onStoreFailed(_ error: any Error, zone: PlaceID) {
        self.zone(zone)?.attempt { throw error }
    }

    // MARK: Room

    /// Gives the devices that identified themselves in this turn places among the sessions, as far as there are any.
    private func admitNewcomers(now: MonotonicTime) {
        let newcomers = newcomers
        self.newcomers = []
        for (id, lane) in newcomers {
            guard let link = links[id] else { continue }
            // A connection that we dialled displaces nobody.
            if !admission.hasRoom, !link.isInitiator { makeRoom(for: id, now: now) }
            if admission.establish(id) {
                actions.append(.note(place: link.place.id, .connected(lane)))
            } else {
                giveWay(id, now: now)
            }
        }
    }

    /// Ends a session in favour of a newcomer, and tells its peer when to come back.
    ///
    /// - Returns: the session that closes; nil if there is none. It no longer counts, though its last messages are
    ///   still to be sent.
    @discardableResult
    func makeRoom(for newcomer: SessionID, now: MonotonicTime) -> SessionID? {
        let displacement = Displacement(
            zones: zones, longestSynced: dialer.longestSynced, newcomer: newcomer, own: links[newcomer]?.place.id)
        let displaced = displacement.session
        if let displaced {
            giveWay(displaced, now: now)
            admission.end(displaced)
        }
        return displaced
    }

    /// Ends a session for lack of room: its peer is told when to come back.
    private func giveWay(_ id: SessionID, now: MonotonicTime) {
        guard let served = links[id].flatMap({ zone($0.place.id) }) else { return }
        served.sync.giveWay(id)
        collect(served, now: now)
    }

    // MARK: Serving peers

    /// Fills a session's queue with requested data, until about `budgetBytes` are there or the session has used its
    /// share of the turn's work: small requests may cause much work, and others are waiting too.
    package func produce(on id: SessionID, budgetBytes: Int, now: MonotonicTime) {
        guard let place = links[id]?.place else { return }
        place.produce(on: id, budgetBytes: budgetBytes, shares: &shares)
        collect(place, now: now)
    }

    package func isServing(_ id: SessionID) -> Bool { links[id]?.place.isServing(id) ?? false }

    /// Whether the peer of a session owes an answer, so that it must send at a minimum rate.
    package func isExpecting(_ id: SessionID) -> Bool { links[id]?.place.isExpecting(id) ?? false }

    // MARK: Turns

    /// Returns and clears the pending actions.
    package func takeActions() -> [NodeAction] {
        defer { actions = [] }
        return actions
    }

    /// Commits the turn's changes in each zone, and derives actions from them. A zone whose store fails is rolled back
    /// and rests; the others continue.
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
        served.attempt {
            try served.work(now: now)
            try served.sync.endTurn(now: now)
        }
        if let error = served.rest(now: now) {
            dialer.onPaused(true, place: served.id)
            actions.append(.note(place: served.id, .storeFailed("\(error)")))
        }
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
        dialer.onWanting(isWanting, place: served.id)
    }

    /// Applies changes of the zone itself that the turn has made durable, such as a pause.
    private func follow(_ served: ServedZone, now: MonotonicTime) {
        guard served.failure == nil else { return }
        let change = served.follow()
        let keyCount = served.access.keys.session.count
        if change.isTurned {
            dialer.onPaused(served.isPaused, place: served.id)
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
            if served.revive(now: now) {
                dialer.onPaused(served.isPaused, place: served.id)
                actions.append(.note(place: served.id, .storeRecovered))
            }
            guard served.failure == nil, let deadline = served.sync.deadline, deadline <= now else { continue }
            served.sync.tick(now: now)
            if served.sync.isDue { served.isDue = true }
            collect(served, now: now)
        }
    }

    /// When to call `endTurn` next even if nothing happens.
    package var deadline: MonotonicTime? {
        var times = [presence.deadline, dialer.deadline].compactMap(\.self)
        for place in places { times += place.deadlines }
        return times.min()
    }

    /// Stops the node: writes what is queued and tells the peers.
    package func shutdown(now: MonotonicTime, wall: WallTime) {
        for served in zones where served.failure == nil {
            served.attempt {
                try served.sync.zone.finish(now: now)
                try served.notePeersAtEnd(now: now, wall: wall)
                try served.sync.endTurn(now: now)
            }
            if served.failure != nil { served.sync.abandon() }
            served.attempt { try served.sync.zone.tidy() }
            served.sync.shutdown()
            collect(served, now: now)
        }
        pairingPlace.pairing?.stop()
        followPairing(now: now)
    }

    // MARK: State of the zones

    package func state(of zone: PlaceID, now: MonotonicTime) -> ZoneState {
        self.zone(zone)?.state(dialer, now: now) ?? .idle
    }

    /// A device disconnected since the last look.
    package var hasUnnotedEnds: Bool { zones.contains(where: \.hasUnnotedEnd) }

    /// Updates the state of each zone and returns those whose state changed. The shell calls it some twenty times a
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
        case .otherVersion(let version, let id, let address):
            // Anybody may change a beacon's version on its way. It is shown, and keeps nobody from dialling.
            if let place = place(id) { note(version, of: place, at: address, now: now) }
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

    /// Passes on a place's actions, and informs the dialer.
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
            for action in dialer.onOpened(id, device: lane, place: link.place.id, address: link.address) {
                perform(action)
            }
        } else {
            dialer.onAccepted(
                id, device: lane, place: link.place.id, address: port.map { link.address.with(port: $0) }, now: now)
        }
    }

    /// Handles the end of a session that a place has ended.
    private func gaveUp(_ id: SessionID, _ link: Link, _ reason: CloseReason, now: MonotonicTime) {
        if case .busy(let until) = reason {
            dialer.onBusy(place: link.place.id, address: link.address, until: until, now: now)
        }
        if reason == .isSelf, link.isInitiator {
            dialer.onSelf(place: link.place.id, address: link.address)
        }
        ended(id, link, reason, now: now)
        if case .otherVersion(let version) = reason {
            let address = link.isInitiator ? link.address : link.address.with(port: 0)
            note(version, of: link.place, at: address, now: now)
            dialer.onOtherVersion(place: link.place.id, address: address, now: now)
        }
    }

    /// Notes that a device speaks another version: no session is possible until one of the two is updated.
    private func note(_ version: UInt16, of place: any SessionPlace, at address: SocketAddress, now: MonotonicTime) {
        let device = dialer.entries(place: place.id).first { $0.address == address }?.device
        place.foundOtherVersion(version, at: address, device: device, now: now)
    }

    private func ended(_ id: SessionID, _ link: Link, _ reason: CloseReason, now: MonotonicTime) {
        if link.isConnected {
            dialer.onClosed(id, place: link.place.id, reason: reason, now: now)
        } else if link.isInitiator {
            // A session that ended before HELLO counts as a failed attempt.
            dialer.onFailed(place: link.place.id, address: link.address, now: now)
        }
    }
}

/// An action for the shell, to be performed after the turn's commits and in this order.
package enum NodeAction: Sendable {
    /// Send a datagram to the multicast and broadcast addresses of a link.
    case beacon([UInt8], PresenceLink)
    /// Open a connection and a session over it with that door's keys; `onOpened` or `onDialFailed` follows.
    case dial(SessionDoor, SocketAddress)
    case send(SessionID, [UInt8], SendPriority)
    /// Close the connection once pending output is sent. Of the session, only the connection's end is reported after
    /// this.
    case close(SessionID, CloseReason)
    /// Keep this address across restarts.
    case remember(place: PlaceID, address: SocketAddress)
    /// Something the user is waiting for has happened at a rendezvous.
    case news(place: PlaceID)
    /// A note for the log.
    case note(place: PlaceID, SyncNote)
}
