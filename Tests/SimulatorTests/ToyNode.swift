import Gossip
import NodeCore
import Simulator
import SyncState

/// A whole node with toy replication: the real presence, dialer and database, and a protocol that sends everything it
/// has. It tests the world, and, with a planted bug, whether the world notices it.
final class ToyNode: SimulatedNode {
    enum Bug: CaseIterable {
        case none
        /// Says "done" before the commit.
        case acknowledgesEarly
        /// Takes over any read position of a peer.
        case readsGoBack
        /// Sends new rows, and never earlier ones.
        case forgetsBacklog
        /// Believes a peer that the rest of a set has come although a piece was lost.
        case dropsRows
        /// Its queue grows.
        case leaks
        /// Invents a message.
        case invents
    }

    static let place = PlaceID(Bytes32(1, 2, 3, 4))

    private let bug: Bug
    private let device: LaneID
    private let database: Database
    private var store: ToyStore
    private var presence: Presence
    private var dialer: Dialer
    private var sessions: [ConnectionID: ToySession] = [:]
    private var dialled: [ConnectionID: SocketAddress] = [:]
    private var nextConnection: UInt64 = 0
    private var outputs: [NodeOutput] = []
    private var leaked = 0
    private var pingAt: MonotonicTime?
    private let startedAt: MonotonicTime

    init(
        index: Int, address: SocketAddress, disk: SimulatedDisk, random: any RandomSource, turn: Turn, bug: Bug
    ) throws {
        self.bug = bug
        var random = random
        device = LaneID(Bytes32(0, 0, 0, UInt64(index) + 1))
        database = try disk.open()
        store = try ToyStore(database)
        presence = Presence(now: turn.now, random: SeededRandom(seed: random.next()))
        dialer = Dialer(random: SeededRandom(seed: random.next()))
        startedAt = turn.now
        presence.onListening(port: address.port)
        presence.onPlaces([shownPlace()], now: turn.now)
        dialer.onPlaces([Self.place], now: turn.now)
    }

    private func shownPlace() -> PresencePlace {
        PresencePlace(
            place: Self.place, discoveryKeys: [Secret(bytes: [UInt8](repeating: 7, count: 32))], digest: store.digest)
    }

    var digest: [UInt8] { store.digest.bytes }

    var deadline: MonotonicTime? {
        [presence.deadline, dialer.deadline, pingAt].compactMap { $0 }.min()
    }

    func takeOutputs() -> [NodeOutput] {
        defer { outputs = [] }
        return outputs
    }

    // MARK: Presence and dialling

    func onNetwork(_ links: [PresenceLink], _ turn: Turn) throws {
        presence.onLinks(links, now: turn.now)
        dialer.onNetworkChange(now: turn.now)
    }

    func onTimer(_ turn: Turn) throws {
        apply(presence.onTimer(now: turn.now), turn)
        for action in dialer.onTimer(now: turn.now) {
            switch action {
            case .dial(_, let address, _):
                nextConnection += 2
                let connection = ConnectionID(nextConnection)
                dialled[connection] = address
                outputs.append(.connect(connection, address))
            case .close(_, let session): close(ConnectionID(session.number), reason: .ended, turn)
            case .remember: break
            }
        }
        if let pingAt, pingAt <= turn.now {
            for connection in sessions.keys.sorted() { send(.ping, connection) }
            self.pingAt = sessions.isEmpty ? nil : turn.now + .seconds(10)
        }
    }

    func onDatagram(_ bytes: [UInt8], from source: SocketAddress, interfaceIndex: UInt32, _ turn: Turn) throws {
        apply(presence.onDatagram(bytes, from: source, interfaceIndex: interfaceIndex, now: turn.now), turn)
    }

    private func apply(_ actions: [PresenceAction], _ turn: Turn) {
        for action in actions {
            switch action {
            case .send(let bytes, let link): outputs.append(.datagram(bytes, link))
            case .sighted(let sighting): dialer.onSighting(sighting, now: turn.now)
            // All toys have one version.
            case .otherVersion: break
            }
        }
    }

    // MARK: Streams

    func onOpened(_ connection: ConnectionID, _ turn: Turn) throws {
        sessions[connection] = ToySession(isOutgoing: true)
        send(.hello(device), connection)
    }

    func onAccepted(_ connection: ConnectionID, from source: SocketAddress, _ turn: Turn) throws {
        sessions[connection] = ToySession(isOutgoing: false)
        send(.hello(device), connection)
    }

    func onTaken(_ connection: ConnectionID, count: Int, _ turn: Turn) throws {}

    func onClosed(_ connection: ConnectionID, _ turn: Turn) throws {
        if sessions[connection] == nil, let address = dialled.removeValue(forKey: connection) {
            dialer.onFailed(place: Self.place, address: address, now: turn.now)
        }
        forget(connection, reason: .ended, turn)
    }

    private func close(_ connection: ConnectionID, reason: CloseReason, _ turn: Turn) {
        outputs.append(.close(connection))
        forget(connection, reason: reason, turn)
    }

    private func forget(_ connection: ConnectionID, reason: CloseReason, _ turn: Turn) {
        guard let session = sessions.removeValue(forKey: connection) else { return }
        if session.device != nil {
            dialer.onClosed(SessionID(connection.number), place: Self.place, reason: reason, now: turn.now)
        } else if let address = dialled[connection] {
            dialer.onFailed(place: Self.place, address: address, now: turn.now)
        }
        dialled[connection] = nil
    }

    func onBytes(_ connection: ConnectionID, _ bytes: [UInt8], _ turn: Turn) throws {
        guard sessions[connection] != nil else { return }
        sessions[connection]?.received += bytes
        while let frame = sessions[connection]?.nextFrame() {
            guard let message = frame else { return close(connection, reason: .fault, turn) }
            try on(message, connection, turn)
        }
    }

    private func on(_ message: ToyMessage, _ connection: ConnectionID, _ turn: Turn) throws {
        switch message {
        case .ping: break
        case .hello(let peer): try onHello(peer, connection, turn)
        case .rows(let rows):
            var news: [ToyRow] = []
            try database.begin()
            for row in rows where !(bug == .dropsRows && row.isMultipleOfFive) {
                if try store.put(row, force: bug == .readsGoBack) { news.append(row) }
            }
            try database.commit()
            try announce(news, except: connection, isLocal: false, turn)
            guard sessions[connection]?.device != nil else { return }
            dialer.onSynced(true, session: SessionID(connection.number), place: Self.place, now: turn.now)
        }
    }

    private func onHello(_ peer: LaneID, _ connection: ConnectionID, _ turn: Turn) throws {
        guard let session = sessions[connection], session.device == nil else { return }
        let other = sessions.keys.sorted().first { $0 != connection && sessions[$0]?.device == peer }
        sessions[connection]?.device = peer
        let id = SessionID(connection.number)
        if let address = dialled[connection] {
            _ = dialer.onOpened(id, device: peer, place: Self.place, address: address)
        } else {
            dialer.onAccepted(id, device: peer, place: Self.place, address: nil, now: turn.now)
        }
        pingAt = pingAt ?? turn.now + .seconds(10)
        if let other, let old = sessions[other] {
            // Of two from the same side, the newer stays: the older one's peer may have died with its machine.
            let keepsOld = old.isOutgoing != session.isOutgoing && old.isOutgoing == (device < peer)
            close(keepsOld ? connection : other, reason: .duplicate, turn)
            if keepsOld { return }
        }
        if bug != .forgetsBacklog { send(.rows(try store.all()), connection) }
    }

    private func announce(_ rows: [ToyRow], except source: ConnectionID?, isLocal: Bool, _ turn: Turn) throws {
        guard !rows.isEmpty else { return }
        presence.onDigest(store.digest, place: Self.place, isLocal: isLocal, now: turn.now)
        for connection in sessions.keys.sorted() where connection != source && sessions[connection]?.device != nil {
            send(.rows(rows), connection)
        }
    }

    private func send(_ message: ToyMessage, _ connection: ConnectionID) {
        outputs.append(.send(connection, message.framed))
    }

    // MARK: Users

    func perform(_ operation: WorkloadOperation, _ turn: Turn) throws -> WorkloadResult {
        let row: ToyRow
        switch operation {
        case .message(let message):
            row = .message(bug == .invents && message.body.utf8.count > 100 ? TxID(Bytes32(9, 9, 9, 9)) : message.txid)
        case .markRead(let conversation):
            row = .read(conversation, UInt64(max(0, (turn.now - startedAt).heldMilliseconds)))
        case .hint, .chain, .markUnread, .leave, .pin, .delete, .rename, .flush, .group: return .unchanged
        }
        if bug == .acknowledgesEarly, Self.isUnlucky(row) { return .acknowledged }
        if bug == .leaks { leaked += 1 }
        try database.begin()
        let isNew = try store.put(row, force: false)
        try database.commit()
        if isNew { try announce([row], except: nil, isLocal: true, turn) }
        return isNew ? .acknowledged : .unchanged
    }

    private static func isUnlucky(_ row: ToyRow) -> Bool { row.isMultipleOfFive }

    func observe(isFull: Bool) throws -> NodeObservation {
        let rows = try store.all()
        let messages = rows.compactMap { row in
            if case .message(let txid) = row { txid } else { nil }
        }
        let reads = rows.compactMap { row in
            if case .read(let conversation, let position) = row {
                NodeObservation.Read(
                    conversation: conversation, scales: [ToyMessage.bytes(position)])
            } else {
                nil
            }
        }
        return NodeObservation(
            digest: digest, messages: isFull ? messages.sorted() : nil, content: [],
            reads: reads.sorted { $0.conversation < $1.conversation },
            gauges: [NodeObservation.Gauge(name: "queued things", value: leaked, limit: 10)], missing: 0)
    }
}
