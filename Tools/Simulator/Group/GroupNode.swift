import Chat
import Gossip
import LeaderboardShare
package import NodeCore
import SyncState

/// A device of a group's member in the simulated world: the real machine, zone and rendezvous. A file replaces what
/// `NodeNetwork` keeps in the account's zone.
package final class GroupNode: MachineNode {
    let index: Int
    let disk: SimulatedDisk
    let board: GroupBoard
    private let seed: UInt64
    var zone: GroupZone?
    var attempt: JoinAttempt?
    /// Number of actions so far in this life: each post has its own day.
    var posted: Int
    /// Rows that were written and not shown yet.
    var withheld: [Record] = []
    /// Called once the action is durable.
    var acknowledge: (() -> Void)?
    /// The roots last taken from other devices of the member, and the rollback count at that time.
    private var takenRoots: [RecordHash] = []
    private var takenAfter: UInt64 = 0

    package init(
        index: Int, seed: UInt64, board: GroupBoard, address: SocketAddress, disk: SimulatedDisk,
        random: any RandomSource, turn: Turn
    ) throws {
        var random = random
        self.index = index
        self.seed = seed
        self.board = board
        self.disk = disk
        posted = Int.random(in: 0..<1_000, using: &random)
        let machine = NodeMachine(random: SeededRandom(seed: random.next()), now: turn.now)
        super.init(machine: machine, random: SeededRandom(seed: random.next()))
        machine.onListening(port: address.port)
        if isHonest { board.honest.insert(member) }
        try open(turn)
    }

    var isHonest: Bool { !board.isDishonest[index] }

    /// Nodes 0 and 1 are the owner's; each sixth is another device of the third member.
    private var person: Int { index == 1 ? 0 : index % 6 == 5 ? 2 : index }

    private func secret(_ number: Int) -> Secret {
        var random = SeededRandom(seed: seed &* 1_000_003 &+ UInt64(number))
        return Secret(random: &random, count: 32)
    }

    var memberSeed: Secret { secret(person) }
    private var deviceSecret: Secret { secret(1_000 + index) }
    var member: MemberID { MemberID(Ed25519.KeyPair(seed: memberSeed).publicKey) }
    var served: ServedZone? { zone.flatMap { machine.zone($0.handle) } }

    private func split() -> SeededRandom { SeededRandom(seed: random.next()) }

    // MARK: Starting

    private func open(_ turn: Turn) throws {
        if index == 0 { return try found(turn) }
        guard let stored = disk.guardFile else { return }
        // If it has a zone, its access lapsed: it seeks again when it notices.
        if let roots = board.roots[member], !(try isEmpty()) {
            try serve(roots, turn)
        } else if let pending = try? PendingJoin(encoded: stored) {
            seek(pending, turn)
        } else if let roots = board.roots[member] {
            try serve(roots, turn)
        }
    }

    /// No group was ever stored here.
    private func isEmpty() throws -> Bool {
        let query = try disk.database.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'record'")
        defer { query.reset() }
        return try !query.step() || query.int(0) == 0
    }

    /// The same group each time: it does not matter whether the first attempt became durable.
    private func found(_ turn: Turn) throws {
        if disk.guardFile != nil, let roots = board.roots[member] { return try serve(roots, turn) }
        let disk = disk
        let zone = try GroupZone.found(
            title: "Friends", database: { _ in disk.database }, memberSeed: memberSeed, deviceSecret: deviceSecret,
            random: SeededRandom(seed: seed), wall: World.epoch)
        if zone.catalogue.games.isEmpty {
            try zone.enter(GroupBoard.game, name: "Wordle", model: .higher)
        }
        try begin(zone, turn)
    }

    private func serve(_ roots: [EpochRoot], _ turn: Turn) throws {
        guard let group = board.group else { return }
        let zone = try GroupZone.open(
            group, roots: roots, database: disk.database, memberSeed: memberSeed, deviceSecret: deviceSecret,
            random: split())
        try begin(zone, turn)
    }

    private func begin(_ zone: GroupZone, _ turn: Turn) throws {
        zone.store.setTime(now: turn.now, wall: turn.wall)
        try zone.commit()
        disk.guardFile = [0]
        board.group = zone.zone
        if board.roots[member] == nil { board.roots[member] = zone.membershipRoots }
        self.zone = zone
        machine.add(zone, now: turn.now)
    }

    func seek(_ pending: PendingJoin, _ turn: Turn) {
        disk.guardFile = pending.encoded
        let attempt = JoinAttempt(pending, memberSeed: memberSeed)
        self.attempt = attempt
        machine.add(attempt, hints: [], now: turn.now)
    }

    /// Another device of this member is in: this one takes part.
    func adopt(_ turn: Turn) throws {
        guard zone == nil, attempt == nil, let roots = board.roots[member] else { return }
        try serve(roots, turn)
    }

    // MARK: Turns

    override func heardNews(of place: PlaceID) {
        if place == attempt?.handle { hasNews = true }
    }

    private var hasNews = false

    /// Processes the result of an attempt.
    private func follow(_ turn: Turn) throws {
        guard hasNews, let attempt else { return }
        hasNews = false
        switch attempt.state {
        case .waiting: break
        case .refused:
            self.attempt = nil
            disk.guardFile = zone == nil ? nil : [0]
            machine.remove(rendezvous: attempt.handle, now: turn.now)
        case .welcomed(let welcome) where zone != nil:
            machine.remove(rendezvous: attempt.handle, now: turn.now)
            self.attempt = nil
            try zone?.take(welcome)
            board.roots[member] = zone?.membershipRoots
            disk.guardFile = [0]
        case .welcomed(let welcome):
            let zone = try GroupZone.join(
                welcome, database: disk.database, memberSeed: memberSeed, deviceSecret: deviceSecret, random: split())
            machine.remove(rendezvous: attempt.handle, now: turn.now)
            self.attempt = nil
            if board.roots[member] == nil { board.roots[member] = zone.membershipRoots }
            try begin(zone, turn)
            if let address = welcome.address { machine.meet(zone: zone.handle, at: address, now: turn.now) }
        }
    }

    /// A readmitted device tells the member's other devices the roots from its welcome.
    private func takeRoots() throws {
        guard let zone, served?.failure == nil, let roots = board.roots[member] else { return }
        let (records, rollbacks) = (roots.map(\.record), disk.database.rollbackCount)
        guard records != takenRoots || rollbacks != takenAfter else { return }
        (takenRoots, takenAfter) = (records, rollbacks)
        try zone.take(roots: roots)
    }

    override func endedTurn(_ turn: Turn) throws {
        try follow(turn)
        try takeRoots()
        if let failure = served?.failure, (failure as? DatabaseError)?.isDiskFull != true { throw failure }
    }
}

/// Memory differs from the store.
struct StaleMemory: Error, CustomStringConvertible {
    let description: String
}

extension GroupNode: SimulatedNode {
    /// Compares the node's view of the group with its store.
    func staleness() throws -> StaleMemory? {
        guard served?.failure == nil, let found = try zone?.staleness() else { return nil }
        return StaleMemory(description: found)
    }

    package var deadline: MonotonicTime? {
        var times = [machineDeadline].compactMap { $0 }
        if hasNews || zone?.store.hasUncommitted == true { times.append(.zero) }
        return times.min()
    }

    package var digest: [UInt8] { zone?.store.digest.bytes ?? [] }

    package func perform(_ operation: WorkloadOperation, _ turn: Turn) throws -> WorkloadResult {
        guard served?.failure == nil, case .group(let deed) = operation else {
            try endTurn(turn)
            return .unchanged
        }
        acknowledge = nil
        let result = try carryOut(deed, turn)
        try endTurn(turn)
        guard served?.failure == nil else { return .failed }
        if result == .acknowledged {
            acknowledge?()
            board.count(deed)
        }
        acknowledge = nil
        return result
    }

    package func observe(isFull: Bool) throws -> NodeObservation {
        if let stale = try staleness() { throw stale }
        func none(_ name: String, _ value: Int) -> NodeObservation.Gauge {
            NodeObservation.Gauge(name: name, value: value, limit: isHonest ? 0 : .max)
        }
        return NodeObservation(
            digest: digest, messages: nil, content: [], reads: [],
            gauges: [
                none("fresh starts", served?.sync.freshStarts.count ?? 0),
                NodeObservation.Gauge(
                    name: "sessions", value: served?.sync.peers.count ?? 0, limit: Gossip.Limits.sessionsPerZone),
                NodeObservation.Gauge(
                    name: "bytes waiting for one peer", value: connections.values.map(\.waitingBytes).max() ?? 0,
                    limit: 2 << 20),
            ], missing: zone?.store.wantedCount ?? 0)
    }
}
