package import Gossip
package import NodeCore
import SyncState
import Transport

/// Connections from their first byte to their end, and the bytes sent.
extension MachineNode {
    /// Amount produced for one peer at a time.
    private static let refillBytes = 256 * 1024
    private static let lastWords = Duration.seconds(2)

    package func onNetwork(_ links: [PresenceLink], _ turn: Turn) throws {
        machine.onLinks(links, now: turn.now)
        try endTurn(turn)
    }

    package func onTimer(_ turn: Turn) throws {
        try endTurn(turn)
    }

    package func onDatagram(
        _ bytes: [UInt8], from source: SocketAddress, interfaceIndex: UInt32, _ turn: Turn
    ) throws {
        machine.onDatagram(bytes, from: source, link: interfaceIndex, now: turn.now)
        try endTurn(turn)
    }

    package func onAccepted(_ connection: ConnectionID, from source: SocketAddress, _ turn: Turn) throws {
        if let other = machine.onAccepted(SessionID(connection.number), from: source) { giveUp(other, turn.now) }
        var random = SeededRandom(seed: self.random.next())
        let doors = doorkeeper.doors(revision: machine.doorsRevision, random: &random, now: turn.now) {
            let doors = machine.doors
            places = doors.map(\.place)
            return doors.map { DoorKeys(discovery: $0.discovery, psk: $0.psk) }
        }
        let session = SessionMachine(responderAt: doors, random: &random, now: turn.now)
        connections[connection] = SimulatedConnection(
            id: connection, origin: .accepted(from: source), session: session, places: places)
        try endTurn(turn)
    }

    private func giveUp(_ id: SessionID, _ now: MonotonicTime) {
        guard let found = connections[ConnectionID(id.number)] else { return }
        end(found, isFault: false, isGone: false, now: now)
    }

    private func dial(_ door: SessionDoor, _ address: SocketAddress, now: MonotonicTime) {
        var random = SeededRandom(seed: self.random.next())
        let keys = DoorKeys(discovery: door.discovery, psk: door.psk)
        let session = SessionMachine(initiatorWith: keys, random: &random, now: now)
        let id = nextConnection()
        connections[id] = SimulatedConnection(
            id: id, origin: .dialled(door.place, address), session: session)
        outputs.append(.connect(id, address))
    }

    package func onOpened(_ connection: ConnectionID, _ turn: Turn) throws {
        connections[connection]?.isOpen = true
        try endTurn(turn)
    }

    package func onBytes(_ connection: ConnectionID, _ bytes: [UInt8], _ turn: Turn) throws {
        if let found = connections[connection] {
            for event in found.session.receive(bytes, now: turn.now) { on(event, found, turn.now) }
        }
        try endTurn(turn)
    }

    package func onTaken(_ connection: ConnectionID, count: Int, _ turn: Turn) throws {
        connections[connection]?.noteTaken(count)
        try endTurn(turn)
    }

    package func onClosed(_ connection: ConnectionID, _ turn: Turn) throws {
        if let found = connections[connection] { end(found, isFault: false, isGone: true, now: turn.now) }
        try endTurn(turn)
    }

    private func on(_ event: SessionEvent, _ connection: SimulatedConnection, _ now: MonotonicTime) {
        guard connections[connection.id] != nil, connection.closeBy == nil else { return }
        switch event {
        case .message(let bytes): machine.onMessage(bytes, session: connection.sessionID, now: now)
        case .failed: end(connection, isFault: true, isGone: false, now: now)
        case .established(let door, let hash):
            connection.isEstablished = true
            let displaced = machine.onOpened(
                connection.sessionID, place: connection.place(door), isInitiator: connection.isInitiator,
                handshakeHash: hash, address: connection.address, now: now)
            if let displaced { giveUp(displaced, now) }
        }
    }

    private func end(_ connection: SimulatedConnection, isFault: Bool, isGone: Bool, now: MonotonicTime) {
        guard connections.removeValue(forKey: connection.id) != nil else { return }
        if !isGone { outputs.append(.close(connection.id)) }
        machine.onClosed(connection.sessionID, isFault: isFault, now: now)
        if !connection.isEstablished, case .dialled(let place, let address) = connection.origin {
            machine.onDialFailed(
                place: place, address: address, isRefused: connection.session.isAwaitingAnswer, now: now)
        }
    }

    /// Handles deadlines of handshakes, transfers and last messages.
    func tick(_ now: MonotonicTime) {
        for connection in ordered {
            guard let deadline = connection.deadline, deadline <= now else { continue }
            if let closeBy = connection.closeBy, closeBy <= now {
                end(connection, isFault: false, isGone: false, now: now)
            } else {
                for event in connection.session.tick(now: now) { on(event, connection, now) }
            }
        }
    }

    // MARK: Sending

    func perform(_ actions: [NodeAction], now: MonotonicTime) {
        for action in actions {
            switch action {
            case .beacon(let bytes, let link): outputs.append(.datagram(bytes, link))
            case .dial(let door, let address): dial(door, address, now: now)
            case .send(let id, let bytes, let priority):
                for said in liar?.say(bytes, to: id, priority, now: now) ?? [bytes] { enqueue(said, to: id, priority) }
            case .close(let id, _):
                guard let connection = connections[ConnectionID(id.number)] else { continue }
                connection.closeBy = now + Self.lastWords
            case .remember: break
            case .news(let place): heardNews(of: place)
            case .note: break
            }
        }
    }

    func enqueue(_ bytes: [UInt8], to session: SessionID, _ priority: SendPriority) {
        connections[ConnectionID(session.number)]?.session.enqueue(bytes, priority: priority)
    }

    func flush(_ now: MonotonicTime) {
        for connection in ordered where connection.isOpen {
            flush(connection, now)
            if connection.closeBy != nil, connection.waitingBytes == 0 {
                end(connection, isFault: false, isGone: false, now: now)
            }
        }
    }

    private func flush(_ connection: SimulatedConnection, _ now: MonotonicTime) {
        while true {
            if connection.closeBy == nil, connection.waitingBytes < Self.refillBytes,
                machine.isServing(connection.sessionID)
            {
                machine.produce(on: connection.sessionID, budgetBytes: Self.refillBytes, now: now)
                perform(machine.takeActions(), now: now)
            }
            if connection.output.count < SimulatedConnection.socketBytes {
                connection.session.drain(upTo: SimulatedConnection.socketBytes, into: &connection.output)
            }
            let bytes = connection.output.withUnsafeBytes { [UInt8]($0.prefix(connection.room)) }
            connection.session.noteSent(bytes.count, waiting: connection.output.count - bytes.count, now: now)
            guard !bytes.isEmpty else { return }
            connection.output.consume(bytes.count)
            connection.noteWritten(bytes.count)
            outputs.append(.send(connection.id, bytes))
        }
    }
}
