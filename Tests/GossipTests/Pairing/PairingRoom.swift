import NodeCore

@testable import Gossip

/// Devices that pair, in virtual time, from a seed, possibly with a man in the middle whom every dialler reaches in
/// place of the intended device. What the handshake proves is taken for granted: the two ends of a session, and nobody
/// else, know one hash.
final class PairingRoom {
    struct Device {
        var pairing: Pairing
        let addresses: [SocketAddress]
        /// What it holds after the pairing.
        var taken: [UInt8]?
        /// The founding record that it was shown, and the lane that it let in.
        var genesis: [UInt8]?
        var letIn: PairingLane?
        /// How the device to which it gave something came in.
        var path: [UInt8]?
        /// The digits that it has shown.
        var shown: [PairingDigits] = []
        /// The messages that it sent.
        var said: [PairingMessage] = []
    }

    enum End: Equatable {
        case device(Int)
        case middle
    }

    private enum Item {
        case bytes([UInt8])
        case closed
    }

    private struct Wire {
        let ends: [End]
        var queues: [[Item]] = [[], []]
    }

    static let genesis = Array("the founding record".utf8)
    static let secret = Array("what lets in".utf8)
    static let path = Array("the way in".utf8)

    var random: SeededRandom
    var devices: [Device] = []
    var middle: PairingMiddle?
    /// The users' actions whenever something has changed.
    var users: (PairingRoom) -> Void = { $0.compare() }
    private(set) var now = MonotonicTime.zero
    private var wires: [Wire] = []

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    @discardableResult
    func add(
        _ role: PairingRole, _ subject: PairingSubject = .account, name: String = "device", addresses: Int = 1
    ) -> Int {
        let first = 0x0A00_0001 + 16 * UInt32(devices.count)
        let addresses = (0..<UInt32(addresses)).map { SocketAddress(ipv4: first + $0, port: 4_000) }
        let pairing = Pairing(role: role, subject: subject, name: name, random: random.split(), now: now)
        devices.append(Device(pairing: pairing, addresses: addresses))
        // Presence handles beacons, so here each device hears each other.
        for index in devices.indices {
            for other in devices where other.addresses != devices[index].addresses {
                for address in other.addresses {
                    devices[index].pairing.onSighting(
                        address, isSameRole: other.pairing.role == devices[index].pairing.role, now: now)
                }
            }
        }
        return devices.count - 1
    }

    func state(_ index: Int) -> PairingState { devices[index].pairing.state }
    var isOver: Bool { devices.allSatisfy { $0.pairing.isOver } }

    /// Each user whose device shows digits looks at the other display.
    func compare() {
        for index in devices.indices {
            guard case .comparing(_, let digits, isConfirmed: false) = state(index) else { continue }
            let others = devices.indices.filter { devices[$0].pairing.role != devices[index].pairing.role }
            for other in others {
                guard case .comparing(_, let theirs, _) = state(other) else { continue }
                if theirs == digits {
                    try? devices[index].pairing.confirm(digits, now: now)
                } else {
                    try? devices[index].pairing.refuse(now: now)
                }
            }
        }
    }

    // MARK: Time

    /// Runs until all is over or the time has passed.
    func run(for time: Duration = .seconds(150), until isDone: (PairingRoom) -> Bool = { $0.isOver }) {
        let end = now + time
        for _ in 0..<100_000 {
            settle()
            guard !isDone(self), let next = devices.compactMap(\.pairing.deadline).min() else { return }
            guard next <= end else {
                now = end
                return
            }
            now = max(now, next)
            for index in devices.indices { devices[index].pairing.onTimer(now: now) }
        }
        preconditionFailure("invariant: a pairing comes to its end")
    }

    /// Delivers everything under way, in an order that the seed gives.
    private func settle() {
        for _ in 0..<10_000 {
            act()
            var waiting: [(wire: Int, end: Int)] = []
            for wire in wires.indices {
                for end in 0...1 where !wires[wire].queues[end].isEmpty { waiting.append((wire, end)) }
            }
            guard !waiting.isEmpty else { return }
            let (wire, end) = waiting[Int(random.next() % UInt64(waiting.count))]
            deliver(wires[wire].queues[end].removeFirst(), wire, end)
        }
    }

    private func act() {
        for index in devices.indices {
            if let digits = devices[index].pairing.talks.compactMap(\.digits).first,
                devices[index].shown.last != digits
            {
                devices[index].shown.append(digits)
            }
        }
        users(self)
        for index in devices.indices {
            contribute(index)
            if let path = devices[index].pairing.takePath() { devices[index].path = path }
            for action in devices[index].pairing.takeActions() { perform(action, of: index) }
        }
    }

    private func contribute(_ index: Int) {
        while let due = devices[index].pairing.due {
            let contribution: PairingContribution
            switch due {
            case .genesis: contribution = .genesis(Self.genesis)
            case .lane(let genesis):
                devices[index].genesis = genesis
                contribution = .lane(Self.lane(of: index))
            case .secret(let lane):
                devices[index].letIn = lane
                contribution = .secret(Self.secret)
            case .keeping(let secret):
                devices[index].taken = secret
                contribution = .kept(path: devices[index].genesis == nil ? [] : Self.path)
            }
            devices[index].pairing.contribute(contribution, now: now)
        }
    }

    static func lane(of index: Int) -> PairingLane {
        PairingLane(lane: LaneID(Bytes32(UInt64(index), 1, 1, 1)), sealKey: Bytes32(UInt64(index), 2, 2, 2))
    }

    private func perform(_ action: PlaceAction, of index: Int) {
        switch action {
        case .dial(let address): dial(address, from: index)
        case .send(let id, let bytes, _):
            if let message = try? PairingMessage(decoding: bytes) { devices[index].said.append(message) }
            push(.bytes(bytes), id, from: .device(index))
        case .close(let id, _): push(.closed, id, from: .device(index))
        case .connected, .synced, .news, .note: break
        }
    }

    private func push(_ item: Item, _ id: SessionID, from end: End) {
        let wire = Int(id.number)
        guard let own = wires[wire].ends.firstIndex(of: end) else { return }
        wires[wire].queues[1 - own].append(item)
    }

    private func dial(_ address: SocketAddress, from index: Int) {
        guard let target = devices.indices.first(where: { devices[$0].addresses.contains(address) && $0 != index }),
            devices[target].pairing.isOpen
        else { return devices[index].pairing.onDialFailed(address, now: now) }
        if let middle {
            let taker = wire([.device(index), .middle], address)
            let giver = wire([.middle, .device(target)], address)
            middle.begin(taker: taker, giver: giver, send: send, hashes: lastHashes)
        } else {
            _ = wire([.device(index), .device(target)], address)
        }
    }

    private var lastHashes: [[UInt8]] = []

    /// Connects two ends, and tells the devices among them.
    private func wire(_ ends: [End], _ address: SocketAddress) -> SessionID {
        let id = SessionID(UInt64(wires.count))
        wires.append(Wire(ends: ends))
        let hash = random.bytes(32)
        lastHashes = lastHashes.suffix(1) + [hash]
        for place in 0...1 {
            guard case .device(let own) = ends[place] else { continue }
            devices[own].pairing.onOpened(
                id, handshakeHash: hash, address: place == 0 ? address : devices[own].addresses[0],
                isInitiator: place == 0, now: now)
        }
        return id
    }

    private func send(_ bytes: [UInt8]?, _ id: SessionID) {
        push(bytes.map { .bytes($0) } ?? .closed, id, from: .middle)
    }

    private func deliver(_ item: Item, _ wire: Int, _ end: Int) {
        let id = SessionID(UInt64(wire))
        switch (wires[wire].ends[end], item) {
        case (.device(let index), .bytes(let bytes)):
            devices[index].pairing.onMessage(bytes, session: id, now: now)
        case (.device(let index), .closed): devices[index].pairing.onClosed(id, now: now)
        case (.middle, .bytes(let bytes)): middle?.hear(bytes, id, random: &random)
        case (.middle, .closed): middle?.closed(id)
        }
    }
}
