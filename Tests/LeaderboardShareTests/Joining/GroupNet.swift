import Gossip
import Ledger
import NodeCore
import SyncState

@testable import LeaderboardShare

/// Whole machines of members and joiners on one link, in virtual time. What the handshake proves is taken for granted:
/// two ends meet only if they have the same pre-shared key.
final class GroupNet {
    final class Node {
        let name: String
        let number: UInt8
        let machine: NodeMachine
        let address: SocketAddress
        var zone: GroupZone?
        var attempt: JoinAttempt?
        /// Whether the node is switched off, so that nothing reaches it.
        var isAway = false
        var notes: [SyncNote] = []
        /// The data that its sockets received, in order of arrival.
        var heard: [[UInt8]] = []

        init(_ name: String, _ number: UInt8) {
            self.name = name
            self.number = number
            address = SocketAddress(ipv4: 0x0A00_0000 | UInt32(number), port: 4_000)
            machine = NodeMachine(random: SeededRandom(seed: UInt64(number) + 77), now: .zero)
            machine.onListening(port: address.port)
            machine.onLinks([PresenceLink(interfaceIndex: 1, address: address.with(port: 0))], now: .zero)
        }

        var device: Secret { GroupBench.device(number) }
        var member: MemberID { zone?.member ?? GroupBench.member(name, number) }
    }

    private struct Wire {
        let ends: [(node: Node, id: SessionID)]
    }

    private(set) var nodes: [Node] = []
    private(set) var now = MonotonicTime.zero
    var wall = GroupBench.wall
    private var wires: [Wire] = []
    private var nextSession: UInt64 = 1
    /// Datagrams and connection attempts so far.
    private(set) var contacts = 0

    func add(_ name: String, _ number: UInt8) -> Node {
        let node = Node(name, number)
        nodes.append(node)
        return node
    }

    /// The founder of a group with one game.
    func found(_ name: String, _ number: UInt8) throws -> Node {
        let node = add(name, number)
        let zone = try GroupZone.found(
            title: "Family", person: GroupBench.person(name), database: { _ in try Database(path: ":memory:") },
            deviceSecret: node.device, random: SeededRandom(seed: UInt64(number)), wall: wall)
        try zone.enter(GroupBench.game, name: "Wordle", model: .lowerAttempts, maxAttempts: 6)
        serve(zone, on: node)
        return node
    }

    func serve(_ zone: GroupZone, on node: Node) {
        node.zone = zone
        zone.store.setTime(now: now, wall: wall)
        node.machine.add(zone, now: now)
    }

    /// Another device of a member, let in by the given one.
    func another(_ number: UInt8, of node: Node) throws -> Node {
        guard let first = node.zone else { preconditionFailure("\(node.name) is no member") }
        let other = add(node.name, number)
        let zone = try GroupZone(
            database: Database(path: ":memory:"), keys: first.keys, deviceSecret: other.device,
            random: SeededRandom(seed: UInt64(number)))
        if let (lane, sealKey) = zone.lacking, let endorsement = try first.endorse(lane, sealKey: sealKey) {
            try zone.enter(by: endorsement)
        }
        try zone.commit()
        serve(zone, on: other)
        return other
    }

    /// Whether these are members with the same records.
    func isEqual(_ nodes: [Node]) -> Bool {
        isSame(nodes) && nodes.allSatisfy { $0.zone?.access == .member }
    }

    func isSame(_ nodes: [Node]) -> Bool {
        Set(nodes.map { $0.zone?.store.digest }).count == 1
            && Set(nodes.map { $0.zone?.membership.records.digest }).count == 1
    }

    /// Makes only these nodes present.
    func alone(_ present: [Node]) {
        for node in nodes { node.isAway = !present.contains { $0 === node } }
    }

    /// Begins to seek a member; the result shows in `run`.
    ///
    /// - Parameter order: decides the order in which the tickets are tried.
    func join(_ node: Node, _ token: GroupToken, order: UInt64? = nil) {
        let attempt = GroupBench.attempt(node.name, node.number, with: token, order: order)
        node.attempt = attempt
        node.machine.add(attempt, hints: token.hints, now: now)
    }

    // MARK: Time

    /// Lets time pass until `isDone`, at most for `duration`. True if it was done.
    @discardableResult
    func run(for duration: Duration, until isDone: () -> Bool = { false }) throws -> Bool {
        let end = now + duration
        cutWires()
        for _ in 0..<200_000 {
            for node in nodes where !node.isAway { try turn(node) }
            if isDone() { return true }
            let due = nodes.compactMap { $0.isAway ? nil : $0.machine.deadline }.min() ?? end
            if now >= end { return false }
            now = min(end, max(due, now + .milliseconds(1)))
            wall = GroupBench.wall + (now - .zero)
        }
        return isDone()
    }

    /// Cuts the connections of nodes that are away: they vanish at once, and notice it themselves.
    private func cutWires() {
        for wire in wires where wire.ends.contains(where: \.node.isAway) {
            for end in wire.ends { end.node.machine.onClosed(end.id, isFault: true, now: now) }
        }
        wires.removeAll { $0.ends.contains(where: \.node.isAway) }
    }

    private func turn(_ node: Node) throws {
        for _ in 0..<100 {
            node.machine.endTurn(now: now, wall: wall)
            let actions = node.machine.takeActions()
            for action in actions { try perform(action, of: node) }
            for wire in wires {
                for end in wire.ends where end.node === node {
                    node.machine.produce(on: end.id, budgetBytes: 65_536, now: now)
                }
            }
            if actions.isEmpty { return }
        }
    }

    private func perform(_ action: NodeAction, of node: Node) throws {
        switch action {
        case .beacon(let bytes, _):
            contacts += 1
            for other in nodes where other !== node && !other.isAway {
                other.machine.onDatagram(bytes, from: node.address.with(port: 0), link: 1, now: now)
            }
        case .dial(let door, let address): dial(door, address, from: node)
        case .send(let id, let bytes, _):
            guard let other = other(end: id, of: node) else { return }
            other.node.heard.append(bytes)
            other.node.machine.onMessage(bytes, session: other.id, now: now)
        case .close(let id, _):
            guard let other = other(end: id, of: node) else { return }
            wires.removeAll { wire in wire.ends.contains { $0.node === node && $0.id == id } }
            other.node.machine.onClosed(other.id, isFault: false, now: now)
        case .remember: break
        case .news(let place):
            if place == node.attempt?.handle { try follow(node) }
        case .note(_, let note): node.notes.append(note)
        }
    }

    private func other(end id: SessionID, of node: Node) -> (node: Node, id: SessionID)? {
        let wire = wires.first { wire in wire.ends.contains { $0.node === node && $0.id == id } }
        return wire?.ends.first { !($0.node === node && $0.id == id) }
    }

    private func dial(_ door: SessionDoor, _ address: SocketAddress, from node: Node) {
        contacts += 1
        let target = nodes.first { $0.address == address && !$0.isAway }
        guard let target,
            let opened = target.machine.doors.first(where: { $0.psk.hasBytes(of: door.psk) })
        else {
            node.machine.onDialFailed(place: door.place, address: address, isRefused: target != nil, now: now)
            return
        }
        let (mine, theirs) = (SessionID(nextSession), SessionID(nextSession + 1))
        nextSession += 2
        wires.append(Wire(ends: [(node, mine), (target, theirs)]))
        var random = SeededRandom(seed: nextSession)
        let hash = random.bytes(32)
        _ = node.machine.onOpened(
            mine, place: door.place, isInitiator: true, handshakeHash: hash, address: address, now: now)
        _ = target.machine.onOpened(
            theirs, place: opened.place, isInitiator: false, handshakeHash: hash,
            address: node.address.with(port: 50_000), now: now)
    }

    /// Does what a node does with a welcome.
    private func follow(_ node: Node) throws {
        guard let attempt = node.attempt, case .welcomed(let welcome) = attempt.state else { return }
        node.machine.remove(rendezvous: attempt.handle, now: now)
        if let zone = node.zone {
            try zone.take(welcome)
            node.machine.meet(zone: zone.handle, at: welcome.address, now: now)
            return
        }
        let zone = try GroupZone.join(
            welcome, database: Database(path: ":memory:"), deviceSecret: node.device,
            random: SeededRandom(seed: UInt64(node.number)))
        try zone.commit()
        serve(zone, on: node)
        node.machine.meet(zone: zone.handle, at: welcome.address, now: now)
    }
}

extension Secret {
    func hasBytes(of other: Secret) -> Bool {
        withUnsafeBytes { one in other.withUnsafeBytes { one.elementsEqual($0) } }
    }
}
