import Gossip
import NodeCore

/// Many whole nodes on one network, in virtual time: everything that happens follows from the seed.
///
/// One event is one turn of one node, as in the node's own loop: the event goes in, the node commits, and only then its
/// outputs are sent. A machine that dies in a turn loses the turn's outputs.
final class World {
    /// Builds the node of a machine, for the first time or after a crash.
    typealias NodeFactory = (
        _ index: Int, _ address: SocketAddress, _ disk: SimulatedDisk, _ random: any RandomSource, _ turn: Turn
    ) throws -> any SimulatedNode

    private(set) var now = MonotonicTime.zero
    /// 2026-01-01, an ordinary day.
    static let epoch = WallTime(milliseconds: 1_767_225_600_000)

    var random: any RandomSource
    var profile: FaultProfile
    var hosts: [SimulatedHost] = []
    var streams: [Int: SimulatedStream] = [:]
    var nextStream = 0
    var partitions: [Partition] = []
    var nextPartition = 0
    var queue = EventQueue<WorldEvent>()
    var trace = TraceHash()
    var story: Story
    var ledger: Ledger
    var tallies = Tallies()
    /// Nil while there are faults.
    var faultsEndedAt: MonotonicTime?
    /// Called after each turn of a node, for checks.
    var afterTurn: ((Int) -> Void)?
    /// A node's home was damaged, or is gone for ever; it does not run.
    var onDamage: ((Int) -> Void)?
    /// Whether the home of one node may be copied over that of another; nil if each may.
    var mayCopy: ((_ from: Int, _ to: Int) -> Bool)?
    private let factory: NodeFactory

    /// - Parameters:
    ///   - diskSeed: what disks draw, they draw from it and not from `random`.
    ///   - hasFaultyDisks: power cuts take what was not synced.
    init(
        nodes: Int, profile: FaultProfile, random: any RandomSource, diskSeed: UInt64 = 0, hasFaultyDisks: Bool = false,
        factory: @escaping NodeFactory
    ) {
        self.random = random
        self.profile = profile
        self.factory = factory
        story = Story()
        ledger = Ledger(nodes: nodes)
        for index in 0..<nodes {
            let skew = profile.clockSkew.heldNanoseconds
            hosts.append(
                SimulatedHost(
                    index: index,
                    disk: SimulatedDisk(
                        seed: diskSeed &* 1_000_003 &+ UInt64(index), machine: index, isFaulty: hasFaultyDisks),
                    monotonicOffset: .seconds(Int.random(in: 1_000...1_000_000, using: &self.random)),
                    wallOffset: .nanoseconds(Int64.random(in: -skew...skew, using: &self.random))))
        }
    }

    var wall: WallTime { Self.epoch + (now - .zero) }

    // MARK: Time

    /// Performs due events until `end`, or until `isDone` returns true after an event.
    func run(until end: MonotonicTime, isDone: () -> Bool = { false }) {
        while ledger.failures.isEmpty, let next = queue.nextTime, next <= end {
            guard let (at, event) = queue.removeFirst() else { break }
            now = at
            tallies.events += 1
            perform(event)
            if isDone() { return }
            if tallies.events > Limits.events { ledger.fail("the run has no end: \(Limits.events) events") }
        }
        if ledger.failures.isEmpty { now = max(now, end) }
    }

    func plan(_ event: WorldEvent, after delay: Duration) {
        queue.add(event, at: now + delay)
    }

    private func perform(_ event: WorldEvent) {
        switch event {
        case .timer(let index, let life, let plan):
            guard hosts[index].life == life, hosts[index].plan == plan else { return }
            hosts[index].plannedAt = nil
            turn(index, "timer") { node, turn in try node.onTimer(turn) }
        case .datagram(let bytes, let index, let source, let interfaceIndex):
            trace.mix(bytes)
            turn(index, "datagram") { node, turn in
                try node.onDatagram(bytes, from: source, interfaceIndex: interfaceIndex, turn)
            }
        case .connect(let stream): onConnect(stream)
        case .connected(let stream, let accepted): onConnected(stream, accepted: accepted)
        case .pump(let stream, let sender): onPump(stream, sender: sender)
        case .taken(let stream, let end, let count): onTaken(stream, end: end, count: count)
        case .closed(let stream, let end): onClosed(stream, end: end)
        case .fault(let fault): onFault(fault)
        case .disk(let event): DiskTrouble(world: self).happen(event)
        case .clock(let index, let rate): ClockTrouble(world: self).set(index, rate: rate)
        case .split: split()
        case .heal(let number): heal(number)
        case .roomAgain(let index): makeRoom(index)
        case .restart(let index, let life):
            if hosts[index].life == life, hosts[index].node == nil, !hosts[index].isAsleep { start(index) }
        case .operation(let index, let operation): perform(operation, on: index)
        case .workload: onWorkload()
        case .day(let event): onDay(event)
        case .inspect: onInspect()
        }
    }

    // MARK: Machines

    func start(_ index: Int) {
        hosts[index].disk.revive()
        hosts[index].life += 1
        hosts[index].connections = [:]
        hosts[index].diesAfterTurn = false
        hosts[index].plannedAt = nil
        let turn = hosts[index].turn(at: now, wall: wall)
        story.add(now, "node \(index) starts (life \(hosts[index].life))")
        do {
            let seed = random.next()
            hosts[index].node = try factory(
                index, hosts[index].address, hosts[index].disk, SeededRandom(seed: seed), turn)
        } catch {
            switch hosts[index].disk.excuse(for: error) {
            case .passing: plan(.restart(node: index, life: hosts[index].life), after: .seconds(10))
            case .damage: DiskTrouble(world: self).giveUp(index, error)
            case nil: ledger.fail("node \(index) does not start: \(error)")
            }
            return
        }
        let link = hosts[index].link
        self.turn(index, "network") { node, turn in try node.onNetwork([link], turn) }
        DiskTrouble(world: self).look(at: index)
        inspect(index, isFull: true)
    }

    /// Kills the node instantly. `isSilent`: the whole machine dies, so nobody tells the others.
    func kill(_ index: Int, isSilent: Bool) {
        guard hosts[index].node != nil else { return }
        tallies.crashes += 1
        story.add(now, "node \(index) dies\(isSilent ? " with its machine" : "")")
        trace.mix("kill")
        hosts[index].node = nil
        hosts[index].disk.end(isPowerCut: isSilent)
        hosts[index].diesAfterTurn = false
        hosts[index].plannedAt = nil
        hosts[index].plan += 1
        let lost = hosts[index].connections.sorted { $0.key < $1.key }.map(\.value)
        hosts[index].connections = [:]
        for stream in lost { abandon(stream, node: index, isSilent: isSilent) }
        let downtime = Duration.milliseconds(Int.random(in: 100...120_000, using: &random))
        plan(.restart(node: index, life: hosts[index].life), after: downtime)
    }

    /// Switched off by its owner for days.
    func putToSleep(_ index: Int) {
        hosts[index].isAsleep = true
        kill(index, isSilent: true)
        story.add(now, "node \(index) sleeps")
    }

    func wake(_ index: Int) {
        guard hosts[index].isAsleep, !hosts[index].isGone else { return }
        hosts[index].isAsleep = false
        if hosts[index].node == nil { start(index) }
    }

    /// Gives one event to a node and performs the outputs.
    @discardableResult
    func turn<Result>(
        _ index: Int, _ kind: String, _ body: (any SimulatedNode, Turn) throws -> Result
    ) -> Result? {
        guard let node = hosts[index].node else { return nil }
        tallies.turns += 1
        trace.mix(UInt64(bitPattern: now.nanoseconds))
        trace.mix(UInt64(index))
        trace.mix(kind)
        countTurn(index, kind)
        var result: Result?
        do {
            result = try body(node, hosts[index].turn(at: now, wall: wall))
        } catch {
            switch hosts[index].disk.excuse(for: error) {
            // A node may also stop for lack of room, as long as nothing is lost.
            case .passing: hosts[index].diesAfterTurn = true
            case .damage:
                DiskTrouble(world: self).giveUp(index, error)
                return nil
            case nil where hosts[index].disk.isDead: break
            case nil: ledger.fail("node \(index) stops in \(kind): \(error)")
            }
        }
        if hosts[index].disk.isDead || hosts[index].diesAfterTurn {
            let isSilent = Bool.random(using: &random)
            kill(index, isSilent: isSilent || hosts[index].disk.hasLostPower)
            // The caller does not know whether it was durable: nothing was acknowledged.
            return nil
        }
        for output in node.takeOutputs() { perform(output, of: index) }
        plan(timerOf: index)
        afterTurn?(index)
        return result
    }

    private func countTurn(_ index: Int, _ kind: String) {
        hosts[index].turnsNow = hosts[index].lastTurnAt == now ? hosts[index].turnsNow + 1 : 1
        hosts[index].lastTurnAt = now
        if hosts[index].turnsNow > Limits.turnsAtOneMoment {
            ledger.fail("node \(index) lets no time pass (\(kind))")
        }
    }

    private func plan(timerOf index: Int) {
        guard let deadline = hosts[index].node?.deadline else {
            hosts[index].plannedAt = nil
            hosts[index].plan += 1
            return
        }
        let at = max(now, deadline - hosts[index].monotonicOffset)
        guard at != hosts[index].plannedAt else { return }
        hosts[index].plan += 1
        hosts[index].plannedAt = at
        queue.add(.timer(node: index, life: hosts[index].life, plan: hosts[index].plan), at: at)
    }

    private func perform(_ output: NodeOutput, of index: Int) {
        switch output {
        case .datagram(let bytes, let link): spread(bytes, from: index, link: link)
        case .connect(let connection, let address): connect(connection, of: index, to: address)
        case .send(let connection, let bytes): send(bytes, connection, of: index)
        case .close(let connection): close(connection, of: index)
        }
    }
}

/// Counts of the events of a run.
struct Tallies: Hashable {
    var events = 0
    var turns = 0
    var crashes = 0
    var partitions = 0
    var moves = 0
    var clockJumps = 0
    var fullDisks = 0
    var diskFaults = 0
    var abandonedHomes = 0
    var failed = 0
    var datagrams = 0
    var datagramBytes = 0
    var streams = 0
    var brokenStreams = 0
    var streamBytes = 0
    var corruptions = 0
    var acknowledged = 0
    var unchanged = 0
}
