import Chat
import Gossip
import LeaderboardShare
import Ledger
package import NodeCore
import SyncState

/// A device of a group's member in the simulated world: the real machine, zone and rendezvous. `GroupAccount` replaces
/// what `NodeNetwork` keeps in the account's zone.
package final class GroupNode: MachineNode {
    let index: Int
    let disk: SimulatedDisk
    let board: GroupBoard
    private let seed: UInt64
    private(set) var zone: GroupZone?
    private(set) var attempt: JoinAttempt?
    /// Number of actions so far in this life: each post has its own day.
    var posted: Int
    /// Control records and rows that were written and not shown yet.
    var withheld: (records: [LedgerRecord], rows: [Record]) = ([], [])
    /// Called once the action is durable.
    var acknowledge: (() -> Void)?
    /// The state of its account and its group when this node last looked.
    private var seen: [UInt64] = []

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
        board.settle(index, device: disk.device)
        machine.onListening(port: address.port)
        let account = account
        // It goes back with the home, unless another device of the person has it.
        disk.remember = { [person] in
            let contents = account.contents
            return { if !board.hasOther(index, of: person) { account.putBack(contents) } }
        }
        try open(turn)
    }

    var isHonest: Bool { board.isHonest(index) }
    var isStolen: Bool { board.stolen[index] != nil }

    /// Whether a dishonest device was removed by its own member, perhaps by itself, and so tells nobody anything.
    var hasWithdrawn: Bool { !isHonest && !isStolen && zone?.membership.ownStanding == .removed }

    private var person: Int { board.person(of: index) }
    var account: GroupAccount { board.account(ofNode: index) }

    private func secret(_ number: Int) -> Secret {
        var random = SeededRandom(seed: seed &* 1_000_003 &+ UInt64(number))
        return Secret(random: &random, count: 32)
    }

    /// The signer's part, which each device of the person has.
    var personKey: Ed25519.KeyPair { Ed25519.KeyPair(seed: secret(10_000 + person * 100 + account.life)) }
    private var deviceSecret: Secret { secret(1_000 + disk.device) }
    var served: ServedZone? { zone.flatMap { machine.zone($0.handle) } }

    private func split() -> SeededRandom { SeededRandom(seed: random.next()) }

    // MARK: Starting

    private func open(_ turn: Turn) throws {
        if disk.device == 0 { return try found(turn) }
        guard let stored = disk.placeFile else {
            if account.seeker == index { account.seeker = nil }
            return
        }
        if let keys = account.keys {
            // If it sought a member for a membership that lapsed, it seeks again when it notices.
            if account.seeker == index { account.seeker = nil }
            try serve(keys, turn)
        } else if let pending = try? PendingJoin(encoded: stored) {
            seek(pending, turn)
        }
    }

    /// The same group each time: it does not matter whether the first attempt became durable.
    private func found(_ turn: Turn) throws {
        if disk.placeFile != nil, let keys = account.keys { return try serve(keys, turn) }
        let database = try disk.open()
        let zone = try GroupZone.found(
            title: "Friends", person: PersonID(personKey.publicKey), database: { _ in database },
            deviceSecret: deviceSecret, random: SeededRandom(seed: seed), wall: World.epoch)
        if zone.catalogue.games.isEmpty {
            try zone.enter(GroupBoard.game, name: "Wordle", model: .higher)
        }
        try begin(zone, turn)
    }

    private static func mark(_ member: MemberID) -> [UInt8] { [0] + member.bytes }

    private func serve(_ keys: GroupKeys, _ turn: Turn) throws {
        if disk.placeFile != Self.mark(keys.member) { eraseStore() }
        try begin(
            try GroupZone(database: try disk.open(), keys: keys, deviceSecret: deviceSecret, random: split()), turn)
    }

    private func begin(_ zone: GroupZone, _ turn: Turn) throws {
        zone.store.setTime(now: turn.now, wall: turn.wall)
        if disk.isFaulty {
            disk.guardFile = try zone.checkGuard(disk.guardFile, place: [UInt8(truncatingIfNeeded: disk.machine)])
        }
        try zone.commit()
        disk.placeFile = Self.mark(zone.member)
        if account.keys == nil { account.keys = zone.keys }
        self.zone = zone
        machine.add(zone, now: turn.now)
    }

    func seek(_ pending: PendingJoin, _ turn: Turn) {
        disk.placeFile = pending.encoded
        account.seeker = index
        let attempt = JoinAttempt(pending, deviceSecret: deviceSecret, random: &random)
        self.attempt = attempt
        machine.add(attempt, hints: [], now: turn.now)
    }

    /// Forgets what the person was in the group before.
    func drop(_ turn: Turn) throws {
        if let zone { machine.remove(zone.handle, now: turn.now) }
        zone = nil
        seen = []
        eraseStore()
    }

    func eraseStore() {
        disk.erase()
        disk.guardFile = nil
    }

    /// Another device of this person is in: this one takes part.
    func adopt(_ turn: Turn) throws {
        guard !isStolen, let keys = account.keys, zone?.member != keys.member else { return }
        try drop(turn)
        try serve(keys, turn)
    }

    // MARK: Turns

    override func heardNews(of place: PlaceID) {
        if place == attempt?.handle { hasNews = true }
    }

    private var hasNews = false

    /// The group's store failed, and is tried again later: nothing is written to it until then.
    private var rests: Bool { served?.failure != nil }

    /// Processes the result of an attempt.
    private func follow(_ turn: Turn) throws {
        guard hasNews, !rests, let attempt else { return }
        hasNews = false
        switch attempt.state {
        case .waiting: return
        case .refused: disk.placeFile = zone.map { Self.mark($0.member) }
        case .welcomed(let welcome):
            if let zone {
                try zone.take(welcome)
                disk.placeFile = Self.mark(zone.member)
            } else {
                let zone = try GroupZone.join(
                    welcome, database: try disk.open(), deviceSecret: deviceSecret, random: split())
                try begin(zone, turn)
                machine.meet(zone: zone.handle, at: welcome.address, now: turn.now)
            }
        }
        machine.remove(rendezvous: attempt.handle, now: turn.now)
        self.attempt = nil
        account.seeker = nil
    }

    /// As the keeper of an account's groups does: says which lane is this device's, lets in those of the others, and
    /// comes in by them.
    private func meetOthers() throws {
        if isStolen, let zone { board.hear(zone) }
        guard let zone, served?.failure == nil, !isStolen, zone.member == account.keys?.member else { return }
        let now = [UInt64(account.revision), zone.membership.records.revision, zone.store.database.rollbackCount]
        guard now != seen else { return }
        board.hear(zone)
        let device = zone.store.device
        account.say(
            GroupAccount.Claim(member: zone.member, lane: device.lane, sealKey: device.sealing.publicKey), by: index)
        if zone.lacking != nil {
            for entrance in account.entrances[device.lane] ?? [] where zone.lacking != nil {
                try zone.enter(by: entrance)
            }
        } else {
            for (other, claim) in account.claims.sorted(by: { $0.key < $1.key }) where other != index {
                try letIn(other, claim, zone)
            }
        }
        seen = now
    }

    private func letIn(_ other: Int, _ claim: GroupAccount.Claim, _ zone: GroupZone) throws {
        guard claim.member == zone.member, board.stolen[other] == nil else { return }
        let isLetIn = (account.entrances[claim.lane] ?? []).contains { entrance in
            zone.state.standing(of: zone.membership.key(of: entrance.endorser)) == .active
        }
        guard !isLetIn, let endorsement = try zone.endorse(claim.lane, sealKey: claim.sealKey) else { return }
        account.letIn(claim.lane, by: endorsement)
    }

    override func endedTurn(_ turn: Turn) throws {
        try follow(turn)
        try meetOthers()
        try disk.rethrow(served?.failure)
    }

    override var stored: (any ReplicatedZone)? { served?.failure == nil ? zone : nil }
}

extension GroupNode: SimulatedNode {
    package var deadline: MonotonicTime? {
        var times = [machineDeadline].compactMap { $0 }
        if !rests, hasNews || zone?.store.hasUncommitted == true { times.append(.zero) }
        return times.min()
    }

    package var digest: [UInt8] { zone?.store.digest.bytes ?? [] }

    package func perform(_ operation: WorkloadOperation, _ turn: Turn) throws -> WorkloadResult {
        guard served?.failure == nil, case .group(let deed) = operation else {
            try endTurn(turn)
            return .unchanged
        }
        acknowledge = nil
        if let zone { board.note(writer: index, of: zone.lane) }
        let result = try carryOut(deed, turn)
        try endTurn(turn)
        guard served?.failure == nil else { return .failed }
        if result == .acknowledged {
            acknowledge?()
            board.count(deed)
            // The device that closes the group names what is here: one that was put back in time has no game to name.
            if deed == .close, zone?.catalogue.games.isEmpty == true { board.loseGame() }
        }
        acknowledge = nil
        return result
    }

    package func observe(isFull: Bool) throws -> NodeObservation {
        func none(_ name: String, _ value: Int) -> NodeObservation.Gauge {
            NodeObservation.Gauge(name: name, value: value, limit: isHonest ? 0 : .max)
        }
        // Somebody looks at the board.
        do {
            _ = try zone?.standings
            if let zone, !isStolen { try board.look(at: zone) }
        } catch {
            // As after a command that meets a failing store.
            if let zone { machine.onStoreFailed(error, zone: zone.handle) }
            throw error
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
