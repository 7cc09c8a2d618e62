import Gossip
package import NodeCore
import NodeModel
import Transport

/// The connections with other nodes, each from its first byte to its end.
package final class PeerConnections {
    private let machine: NodeMachine
    private let loop: EventLoop
    private let clock: any Clock
    private let log: Log
    /// Performs the machine's actions when more data is produced for a peer.
    private let act: ([NodeAction], MonotonicTime) -> Void
    private var doorkeeper = Doorkeeper()
    /// The place of each of the current doors.
    private var places: [PlaceID] = []
    private var connections: [SessionID: PeerConnection] = [:]
    /// Ordered by id, so that each turn treats them alike.
    private var order: [SessionID] = []
    private var nextSession: UInt64 = 1
    /// Failed connections by reason.
    private(set) var refusals = Refusals()
    /// The time the first session's connection was dialled or accepted.
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
    }

    var isEmpty: Bool { connections.isEmpty }

    /// All connections, ordered by id.
    package var all: [PeerConnection] { order.compactMap { connections[$0] } }

    subscript(id: SessionID) -> PeerConnection? { connections[id] }

    var deadline: MonotonicTime? { connections.values.compactMap(\.deadline).min() }

    // MARK: Begin and end

    func accept(_ stream: StreamConnection) {
        guard let remote = stream.remote else { return stream.close() }
        let now = clock.now()
        let id = nextID()
        if let other = machine.onAccepted(id, from: remote) { giveUp(other, now) }
        var random = SystemRandom()
        let doors = doorkeeper.doors(revision: machine.doorsRevision, random: &random, now: now) {
            let doors = machine.doors
            places = doors.map(\.place)
            return doors.map { DoorKeys($0) }
        }
        let session = SessionMachine(responderAt: doors, random: &random, now: now)
        add(id, stream, session, .accepted(from: remote), places: places, now: now)
    }

    /// Closes a connection in favour of another one, before its peer has identified itself.
    private func giveUp(_ id: SessionID, _ now: MonotonicTime) {
        guard let connection = connections[id] else { return }
        end(connection, isFault: false, makesRoom: true, now: now)
    }

    func dial(_ door: SessionDoor, _ address: SocketAddress, now: MonotonicTime) {
        do throws(Transport.SystemError) {
            let stream = try StreamConnection(connectingTo: address, on: loop)
            var random = SystemRandom()
            let session = SessionMachine(initiatorWith: DoorKeys(door), random: &random, now: now)
            add(nextID(), stream, session, .dialled(door.place, address), now: now)
        } catch {
            machine.onDialFailed(place: door.place, address: address, now: now)
        }
    }

    private func add(
        _ id: SessionID, _ stream: StreamConnection, _ session: SessionMachine, _ origin: PeerConnection.Origin,
        places: [PlaceID] = [], now: MonotonicTime
    ) {
        let connection = PeerConnection(
            id: id, origin: origin, stream: stream, session: session, places: places, startedAt: now)
        connections[connection.id] = connection
        order.append(connection.id)
        stream.handler = { [unowned self, unowned connection] event, now in on(event, connection, now) }
    }

    private func on(_ event: StreamEvent, _ connection: PeerConnection, _ now: MonotonicTime) {
        switch event {
        // Pending output is sent at the end of the turn.
        case .connected, .writable: break
        // After the last messages, only the end is awaited.
        case .bytes where connection.closeBy != nil: break
        case .bytes(let bytes):
            for event in connection.session.receive(bytes, now: now) { on(event, connection, now) }
        case .endOfInput, .failed: end(connection, isFault: false, now: now)
        }
    }

    private func on(_ event: SessionEvent, _ connection: PeerConnection, _ now: MonotonicTime) {
        // The machine has closed it while these events were handled.
        guard connections[connection.id] != nil, connection.closeBy == nil else { return }
        switch event {
        case .message(let bytes): machine.onMessage(bytes, session: connection.id, now: now)
        case .failed: end(connection, isFault: true, now: now)
        case .established(let door, let hash):
            connection.isEstablished = true
            connection.stream.hurry()
            firstSession = firstSession ?? connection.startedAt
            let displaced = machine.onOpened(
                connection.id, place: connection.place(door), isInitiator: connection.isInitiator,
                handshakeHash: hash, address: connection.address, now: now)
            if let displaced { giveUp(displaced, now) }
        }
    }

    /// Ends a connection that is gone or unwanted, and informs everyone concerned once.
    func end(_ connection: PeerConnection, isFault: Bool, makesRoom: Bool = false, now: MonotonicTime) {
        guard connections.removeValue(forKey: connection.id) != nil else { return }
        order.removeAll { $0 == connection.id }
        // A peer that did not read in time, or broke the rules, must leave nothing in the kernel's memory.
        if isFault { connection.stream.abort() } else { connection.stream.close() }
        machine.onClosed(connection.id, isFault: isFault, now: now)
        guard !connection.isEstablished else { return }
        switch connection.origin {
        case .accepted:
            // A probe of the port, such as `doctor`'s, sends nothing.
            let isLook = connection.session.failure == nil && connection.stream.receivedBytes == 0
            if !makesRoom, !isLook { refusals.count(connection.session.failure) }
        case .dialled(let place, let address):
            machine.onDialFailed(
                place: place, address: address, isRefused: connection.session.isAwaitingAnswer, now: now)
        }
    }

    /// Handles deadlines of handshakes, transfers and last messages.
    func tick(_ now: MonotonicTime) {
        for id in order {
            guard let connection = connections[id], let deadline = connection.deadline, deadline <= now else {
                continue
            }
            if let closeBy = connection.closeBy, closeBy <= now {
                end(connection, isFault: true, now: now)
            } else {
                for event in connection.session.tick(now: now) { on(event, connection, now) }
            }
        }
    }

    /// Ends unfinished handshakes.
    func endHandshakes(now: MonotonicTime) {
        for connection in all where !connection.isEstablished && connection.closeBy == nil {
            end(connection, isFault: false, now: now)
        }
    }

    /// Closes all open connections, even with unsent last messages.
    package func endAll(now: MonotonicTime) {
        for connection in all { end(connection, isFault: false, now: now) }
    }

    /// Closes the sockets without informing anyone.
    func closeAll() {
        for connection in connections.values { connection.stream.close() }
        connections = [:]
        order = []
    }

    /// Closes a session that the machine has ended. Its peer gets some time to read the last messages, and closes.
    func close(_ id: SessionID, _ reason: CloseReason, now: MonotonicTime) {
        guard let connection = connections[id] else { return }
        connection.closeBy = now + Limits.lastWordsTimeout
        if reason == .wrongHello { refusals.strangers += 1 }
        if let what = reason.violation {
            log.once(
                .warning, "peer-violation", subject: "\(connection.address.hostText) \(what)",
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

    /// Fills the sockets. True if more could be produced at once for a peer that accepts it.
    func flush(_ now: MonotonicTime) -> Bool {
        var isBusy = false
        for id in order {
            guard let connection = connections[id], connection.stream.isOpen else { continue }
            connection.session.setExpectingData(machine.isExpecting(id), now: now)
            if flush(connection, now) { isBusy = true }
            if connection.closeBy != nil, connection.waitingBytes == 0 { connection.stream.endOutput() }
        }
        return isBusy
    }

    /// Sends a bounded amount to one peer, so that the others get their share.
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
            // The socket is full; an event says when it accepts more.
            if !connection.output.isEmpty { return false }
        }
        return connection.session.hasOutput || machine.isServing(connection.id)
    }

    /// Lets more of the peer's requested data be produced while little is waiting.
    private func refill(_ connection: PeerConnection, _ now: MonotonicTime) {
        guard connection.closeBy == nil, connection.waitingBytes < Limits.refillBelowBytes,
            machine.isServing(connection.id)
        else { return }
        machine.produce(on: connection.id, budgetBytes: Limits.refillBytes, now: now)
        act(machine.takeActions(), now)
    }
}

extension Refusals {
    fileprivate mutating func count(_ failure: SessionFailure?) {
        switch failure {
        case .noMatchingKey, .handshakeRefused: strangers += 1
        case .frameLength, .malformedFrame, .corruptFrame, .nonceExhausted: malformed += 1
        case .handshakeTimeout, .tooSlow: timeouts += 1
        case nil: aborted += 1
        }
    }
}

extension DoorKeys {
    init(_ door: SessionDoor) { self.init(discovery: door.discovery, psk: door.psk) }
}
