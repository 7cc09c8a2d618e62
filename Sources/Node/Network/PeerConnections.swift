import Gossip
package import NodeCore
import Transport

/// The connections with other nodes, each from its first byte to its end.
package final class PeerConnections {
    private let machine: NodeMachine
    private let loop: EventLoop
    private let clock: any Clock
    private let log: Log
    /// Does what the machine wants done when more is made for a peer.
    private let act: ([NodeAction], MonotonicTime) -> Void
    private var keyBudget: KeyBudget
    private var connections: [SessionID: PeerConnection] = [:]
    /// In the order of their ids, so that each turn treats them alike.
    private var order: [SessionID] = []
    private var nextSession: UInt64 = 1
    private(set) var refusals = RefusalCounters()
    /// When the connection of the first session was dialled or accepted.
    package private(set) var firstSession: MonotonicTime?

    init(
        _ machine: NodeMachine, loop: EventLoop, clock: any Clock, log: Log,
        act: @escaping ([NodeAction], MonotonicTime) -> Void
    ) {
        self.machine = machine
        self.loop = loop
        self.clock = clock
        self.log = log
        self.act = act
        keyBudget = KeyBudget(now: clock.now())
    }

    var isEmpty: Bool { connections.isEmpty }

    /// In the order of their ids.
    package var all: [PeerConnection] { order.compactMap { connections[$0] } }

    subscript(id: SessionID) -> PeerConnection? { connections[id] }

    var deadline: MonotonicTime? { connections.values.compactMap(\.deadline).min() }

    // MARK: Begin and end

    func accept(_ stream: StreamConnection) {
        guard let remote = stream.remote else { return stream.close() }
        let now = clock.now()
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

    func dial(_ door: SessionDoor, _ address: SocketAddress, now: MonotonicTime) {
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

    /// The connection is gone or not wanted any more: who needs to know is told, once.
    func end(_ connection: PeerConnection, isFault: Bool, makesRoom: Bool = false, now: MonotonicTime) {
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

    /// Of a handshake under way nothing can come any more.
    func endHandshakes(now: MonotonicTime) {
        for connection in all where !connection.isEstablished && connection.closeBy == nil {
            end(connection, isFault: false, now: now)
        }
    }

    /// Closes what is still open, whether or not the last words are out.
    package func endAll(now: MonotonicTime) {
        for connection in all { end(connection, isFault: false, now: now) }
    }

    /// Closes the sockets, and tells nobody.
    func closeAll() {
        for connection in connections.values { connection.stream.close() }
        connections = [:]
        order = []
    }

    /// The machine has done with the session: it gets its last words, and some time to take them.
    func close(_ id: SessionID, _ reason: CloseReason, now: MonotonicTime) {
        guard let connection = connections[id] else { return }
        connection.closeBy = now + Limits.lastWordsTimeout
        if case .violation(let what) = reason {
            log.once(
                .warning, "peer-violation", subject: connection.address.hostText,
                "closed the session with \(connection.address): \(what)")
        }
    }

    private func nextID() -> SessionID {
        defer { nextSession += 1 }
        return SessionID(nextSession)
    }

    // MARK: Sending

    func send(_ bytes: [UInt8], _ priority: SendPriority, on id: SessionID) {
        connections[id]?.session.enqueue(bytes, priority: priority)
    }

    /// Gives the sockets what they take. True if more could be made at once for a peer that takes it.
    func flush(_ now: MonotonicTime) -> Bool {
        var isBusy = false
        for id in order {
            guard let connection = connections[id], connection.stream.isOpen else { continue }
            connection.session.setExpectingData(machine.isExpecting(id), now: now)
            if flush(connection, now) { isBusy = true }
            if connection.closeBy != nil, connection.waitingBytes == 0 { end(connection, isFault: false, now: now) }
        }
        return isBusy
    }

    /// A bounded part for one peer, so that the others get theirs.
    private func flush(_ connection: PeerConnection, _ now: MonotonicTime) -> Bool {
        var room = Limits.sentBytesPerTurn
        while room > 0 {
            refill(connection, now)
            if connection.output.count < Limits.outputBytes {
                connection.session.drain(upTo: Limits.outputBytes, into: &connection.output)
            }
            guard !connection.output.isEmpty else { return false }
            do throws(Transport.SystemError) {
                let sent = try connection.stream.write(&connection.output)
                connection.session.noteSent(sent, waiting: connection.output.count, now: now)
                room -= sent
            } catch {
                end(connection, isFault: false, now: now)
                return false
            }
            // The socket is full: it says when it takes more.
            if !connection.output.isEmpty { return false }
        }
        return connection.session.hasOutput || machine.isServing(connection.id)
    }

    /// Has more of what the peer asked for made, while little waits.
    private func refill(_ connection: PeerConnection, _ now: MonotonicTime) {
        guard connection.closeBy == nil, connection.waitingBytes < Limits.refillBelowBytes,
            machine.isServing(connection.id)
        else { return }
        machine.produce(on: connection.id, budgetBytes: Limits.refillBytes, now: now)
        act(machine.takeActions(), now)
    }
}
