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
        switch machine.onAccepted(id, from: remote) {
        case .taken: break
        case .takenInPlaceOf(let other): giveUp(other, now)
        case .refused: return stream.close()
        }
        var random = SystemRandom()
        let doors = machine.doors
        let (candidates, cost) = keyBudget.candidates(doors, now: now)
        let session = SessionMachine(responderWith: candidates, random: &random, now: now)
        add(id, stream, session, .accepted(from: remote), doors: doors.map(\.place), keyCost: cost, now: now)
    }

    /// Closes a connection in favour of another one, before its peer has identified itself.
    private func giveUp(_ id: SessionID, _ now: MonotonicTime) {
        guard let connection = connections[id] else { return }
        // If it sent nothing, no keys were tried.
        if !connection.session.hasShownKey { keyBudget.giveBack(connection.keyCost) }
        end(connection, isFault: false, makesRoom: true, now: now)
    }

    package func dial(_ door: SessionDoor, _ address: SocketAddress, now: MonotonicTime) {
        do throws(Transport.SystemError) {
            let stream = try StreamConnection(connectingTo: address, on: loop)
            var random = SystemRandom()
            let session = SessionMachine(
                initiatorWith: door.psk, staticKey: door.staticKey, random: &random, now: now)
            add(nextID(), stream, session, .dialled(door.place, address), now: now)
        } catch {
            machine.onDialFailed(place: door.place, address: address, now: now)
        }
    }

    private func add(
        _ id: SessionID, _ stream: StreamConnection, _ session: SessionMachine, _ origin: PeerConnection.Origin,
        doors: [PlaceID] = [], keyCost: Int = 0, now: MonotonicTime
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
        // Pending output is sent at the end of the turn.
        case .connected, .writable: break
        case .bytes(let bytes):
            for event in connection.session.receive(bytes, now: now) { on(event, connection, now) }
            if connection.session.hasShownKey { machine.onKeyShown(connection.id) }
        case .endOfInput, .failed: end(connection, isFault: false, now: now)
        }
    }

    private func on(_ event: SessionEvent, _ connection: PeerConnection, _ now: MonotonicTime) {
        // The machine has closed it, so further input is useless.
        guard connections[connection.id] != nil, connection.closeBy == nil else { return }
        switch event {
        case .message(let bytes): machine.onMessage(bytes, session: connection.id, now: now)
        case .failed: end(connection, isFault: true, now: now)
        case .otherVersion(let candidate, let version):
            // It is told which version is spoken here, and then the connection is closed.
            connection.closeBy = now + Limits.lastWordsTimeout
            machine.onOtherVersion(
                version, place: connection.place(candidate), address: connection.address, isInitiator: false, now: now)
        case .established(let candidate, let key, let hash): established(connection, candidate, key, hash, now)
        }
    }

    private func established(
        _ connection: PeerConnection, _ candidate: Int, _ key: Bytes32, _ hash: [UInt8], _ now: MonotonicTime
    ) {
        keyBudget.giveBack(connection.keyCost)
        connection.isEstablished = true
        firstSession = firstSession ?? connection.startedAt
        machine.onOpened(
            connection.id, place: connection.place(candidate), isInitiator: connection.isInitiator, handshakeHash: hash,
            peerKey: key, address: connection.address, now: now)
    }

    /// Ends a connection and notifies the interested parties, once.
    package func end(_ connection: PeerConnection, isFault: Bool, makesRoom: Bool = false, now: MonotonicTime) {
        guard connections.removeValue(forKey: connection.id) != nil else { return }
        order.removeAll { $0 == connection.id }
        connection.stream.close()
        machine.onClosed(connection.id, isFault: isFault, now: now)
        guard !connection.isEstablished else { return }
        switch connection.origin {
        case .accepted:
            if !makesRoom { refusals.count(connection.session.failure) }
        case .dialled(let place, let address):
            if case .otherVersion(let version) = connection.session.failure {
                machine.onOtherVersion(version, place: place, address: address, isInitiator: true, now: now)
            } else {
                machine.onDialFailed(
                    place: place, address: address, isRefused: connection.session.isAwaitingAnswer, now: now)
            }
        }
    }

    /// Handles deadlines of handshakes, transfers and last messages.
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
