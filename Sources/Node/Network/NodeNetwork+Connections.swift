package import Gossip
package import NodeCore
import SyncState
package import Transport

/// Connections from their first byte to their end.
extension NodeNetwork {
    package func accept(_ stream: StreamConnection) {
        guard let remote = stream.remote else { return stream.close() }
        let now = node.clock.now()
        let id = nextID()
        switch admission.accept(id.number, from: remote, isKnown: machine.dialer.knows(host: remote)) {
        case .taken: break
        case .takenInPlaceOf(let other): giveUp(SessionID(other), now)
        case .refused: return stream.close()
        }
        var random = SystemRandom()
        let doors = machine.doors
        let (candidates, cost) = keyBudget.candidates(doors, now: now)
        let session = SessionMachine(responderWith: candidates, random: &random, now: now)
        add(id, stream, session, .accepted(from: remote), doors: doors.map(\.zone), keyCost: cost, now: now)
    }

    /// A connection that makes room for another one, before its peer has shown who it is. It counts no longer.
    private func giveUp(_ id: SessionID, _ now: MonotonicTime) {
        guard let connection = connections[id] else { return }
        // Who said nothing made nobody try keys.
        if !connection.session.hasShownKey { keyBudget.giveBack(connection.keyCost) }
        connection.isAdmitted = .refused
        end(connection, isFault: false, now: now)
    }

    package func dial(zone: ZoneID, address: SocketAddress, key: Int, now: MonotonicTime) {
        guard let door = machine.door(zone: zone, key: key) else { return }
        do throws(Transport.SystemError) {
            let stream = try StreamConnection(connectingTo: address, on: loop)
            var random = SystemRandom()
            let session = SessionMachine(
                initiatorWith: door.psk, staticKey: door.staticKey, random: &random, now: now)
            add(nextID(), stream, session, .dialled(zone: zone, address: address), now: now)
        } catch {
            machine.onDialFailed(zone: zone, address: address, now: now)
        }
    }

    private func add(
        _ id: SessionID, _ stream: StreamConnection, _ session: SessionMachine, _ origin: PeerConnection.Origin,
        doors: [ZoneID] = [], keyCost: Int = 0, now: MonotonicTime
    ) {
        let connection = PeerConnection(
            id: id, origin: origin, stream: stream, session: session, doors: doors, keyCost: keyCost,
            startedAt: now)
        connections[connection.id] = connection
        order.append(connection.id)
        stream.handler = { [unowned self, unowned connection] event, now in on(event, connection, now) }
    }

    private func on(_ event: StreamEvent, _ connection: PeerConnection, _ now: MonotonicTime) {
        switch event {
        // What is to be sent goes out at the end of the turn.
        case .connected, .writable: break
        case .bytes(let bytes):
            for event in connection.session.receive(bytes, now: now) { on(event, connection, now) }
            if connection.session.hasShownKey { admission.noteKey(connection.id.number) }
        case .endOfInput, .failed: end(connection, isFault: false, now: now)
        }
    }

    private func on(_ event: SessionEvent, _ connection: PeerConnection, _ now: MonotonicTime) {
        // The machine has closed it: what still comes in is of no use to it.
        guard connections[connection.id] != nil, connection.closeBy == nil else { return }
        switch event {
        case .message(let bytes): machine.onMessage(bytes, session: connection.id, now: now)
        case .failed: end(connection, isFault: true, now: now)
        case .otherVersion(let candidate, let version):
            // It hears which version is spoken here, and then the connection goes.
            connection.closeBy = now + Limits.lastWordsTimeout
            machine.onOtherVersion(
                version, zone: connection.zone(candidate), address: connection.address, isInitiator: false, now: now)
        case .established(let candidate, let key, let hash): established(connection, candidate, key, hash, now)
        }
    }

    private func established(
        _ connection: PeerConnection, _ candidate: Int, _ key: Bytes32, _ hash: [UInt8], _ now: MonotonicTime
    ) {
        keyBudget.giveBack(connection.keyCost)
        connection.isAdmitted = .greeting
        connection.isReported = true
        firstSession = firstSession ?? connection.startedAt
        machine.onOpened(
            connection.id, zone: connection.zone(candidate), isInitiator: connection.isInitiator, handshakeHash: hash,
            peerKey: key, address: connection.address, now: now)
    }

    /// The peer has shown that it belongs to the zone: the session takes a place. False where there is none.
    package func admit(_ id: SessionID, now: MonotonicTime) -> Bool {
        guard let connection = connections[id], connection.isAdmitted == .greeting else { return false }
        if !connection.isInitiator { admission.endHandshake(id.number) }
        if !admission.hasRoom, !connection.isInitiator { makeRoom(for: id, now) }
        guard admission.establish() == nil else {
            connection.isAdmitted = .refused
            machine.giveWay(id, now: now)
            return false
        }
        connection.isAdmitted = .yes
        return true
    }

    /// A device comes, and all sessions are taken: one that has nothing to do gives way. It counts no longer, though
    /// its last words are still to go.
    private func makeRoom(for newcomer: SessionID, _ now: MonotonicTime) {
        guard let id = machine.makeRoom(for: newcomer, now: now), let idle = connections[id], idle.isAdmitted == .yes
        else { return }
        idle.isAdmitted = .refused
        admission.endSession()
    }

    /// The connection is gone or not wanted any more: who needs to know is told, once.
    package func end(_ connection: PeerConnection, isFault: Bool, now: MonotonicTime) {
        guard connections.removeValue(forKey: connection.id) != nil else { return }
        order.removeAll { $0 == connection.id }
        connection.stream.close()
        switch (connection.isAdmitted, connection.origin) {
        case (.yes, _): admission.endSession()
        case (.notYet, .accepted):
            admission.endHandshake(connection.id.number)
            refusals.count(connection.session.failure)
        case (.greeting, .accepted): admission.endHandshake(connection.id.number)
        case (.notYet, .dialled), (.greeting, .dialled), (.refused, _): break
        }
        if connection.isReported {
            machine.onClosed(connection.id, isFault: isFault, now: now)
        } else if case .dialled(let zone, let address) = connection.origin, connection.closeBy == nil {
            if case .otherVersion(let version) = connection.session.failure {
                machine.onOtherVersion(version, zone: zone, address: address, isInitiator: true, now: now)
            } else {
                machine.onDialFailed(
                    zone: zone, address: address, isRefused: connection.session.isAwaitingAnswer, now: now)
            }
        }
    }

    /// Deadlines of handshakes, transfers and last words.
    func tick(_ now: MonotonicTime) {
        for id in order {
            guard let connection = connections[id], let deadline = connection.deadline, deadline <= now else {
                continue
            }
            if let closeBy = connection.closeBy, closeBy <= now {
                end(connection, isFault: false, now: now)
            } else {
                for event in connection.session.tick(now: now) { on(event, connection, now) }
            }
        }
    }
}
