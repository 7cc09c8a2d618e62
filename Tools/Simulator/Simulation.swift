import Gossip
package import NodeCore

/// One run of the simulator: many nodes under faults, then a phase without faults, then the check whether all hold the
/// same.
package struct Simulation {
    /// Builds the node of a machine, for the first time or after a crash: its index, the address on which it accepts
    /// sessions, its disk, its randomness, and its clocks.
    package typealias NodeFactory = (
        _ index: Int, _ address: SocketAddress, _ disk: SimulatedDisk, _ random: any RandomSource, _ turn: Turn
    ) throws -> any SimulatedNode

    /// The actions of the nodes' users.
    package enum Workload: String, Sendable, CaseIterable {
        /// Messages are sent and received, conversations read.
        case messages
        /// Everything a person does in a day with several devices: one sleeps for days, and one
        /// is new.
        case day
        /// A group of friends, some of whom break its rules, with one to three devices each.
        case group
        /// As `messages` for a twelfth of the time; then nobody writes, and nothing may grow.
        case soak
    }

    package var seed: UInt64
    package var nodes: Int
    package var workload: Workload
    /// Length of the phase with faults.
    package var hours: Double
    /// Number of messages of all nodes together.
    package var messages: Int
    /// Nil to draw it from the seed.
    package var profile: FaultProfile?
    /// Disks fail, too, as drawn from the seed by a stream of their own.
    package var hasFaultyDisks: Bool
    /// One device of an account breaks the protocol to the end, and clocks stand still or run backwards, as drawn from
    /// the seed by streams of their own. The others must agree all the same.
    package var hasLiar: Bool
    /// Measures the quiet phase afterwards: fifteen more minutes of virtual time.
    package var measuresQuiet: Bool

    package init(
        seed: UInt64, nodes: Int, hours: Double, workload: Workload = .messages, messages: Int? = nil,
        profile: FaultProfile? = nil, hasFaultyDisks: Bool = false, hasLiar: Bool = false, measuresQuiet: Bool = true
    ) {
        self.seed = seed
        self.nodes = nodes
        self.workload = workload
        self.hours = hours
        // Derived from the other values, so that they alone replay a run.
        let anHour = workload == .group ? 600.0 : 240
        self.messages = messages ?? min(max(Int(hours * anHour), 8), 10_000)
        self.profile = profile
        self.hasFaultyDisks = hasFaultyDisks
        self.hasLiar = hasLiar
        self.measuresQuiet = measuresQuiet
    }

    /// Runs it. The same values give the same report, including the trace hash, in every process.
    ///
    /// - Parameter memoryBytes: what the process takes, for the report of `soak`; nil where others run in it, too.
    /// - Throws: if the run could not be set up. Failures inside the run are in the report.
    package func run(
        memoryBytes: (() -> Int)? = nil, factory: @escaping NodeFactory
    ) throws -> SimulationReport {
        precondition(Limits.nodes.contains(nodes), "invariant: the caller has checked the number of nodes")
        var random: any RandomSource = SeededRandom(seed: seed)
        let span = Duration.milliseconds(Int64(hours * 3_600_000))
        let drawn = FaultProfile.drawn(over: span, random: &random)
        let profile = self.profile ?? drawn
        let world = World(
            nodes: nodes, profile: profile, random: SeededRandom(seed: random.next()), diskSeed: seed,
            hasFaultyDisks: hasFaultyDisks, factory: factory)

        let end = MonotonicTime.zero + span
        if hasLiar {
            world.hosts[liar].isLiar = true
            ClockTrouble(world: world).plan(seed: seed, over: span)
        }
        switch workload {
        case .messages, .soak:
            for index in 0..<nodes { world.start(index) }
            world.planFaults()
            world.planWorkload(messages: messages, until: workload == .soak ? .zero + span / 12 : end)
        case .day:
            for index in 0..<nodes - 1 { world.start(index) }
            world.planDay(messages: messages, until: end)
            world.planFaults()
        case .group:
            preconditionFailure("invariant: groups have a run of their own")
        }
        if hasFaultyDisks { DiskTrouble(world: world).plan(seed: seed, over: span) }
        world.planInspections(every: .seconds(60), until: end)
        var report = SimulationReport(simulation: self, profile: profile)
        if workload == .soak {
            // The last messages are in their segments, and everywhere.
            world.run(until: .zero + span / 6)
            report.meansAfterWork = means(of: world, memoryBytes)
        }
        world.run(until: end)

        if world.ledger.failures.isEmpty {
            world.endFaults()
            report.agreedAfter = agree(world)
        }
        if hasFaultyDisks, world.ledger.failures.isEmpty {
            DiskTrouble(world: world).endPower()
            _ = agree(world)
        }
        if workload == .soak {
            // Of two sessions of a pair one is given up.
            world.run(until: world.now + Limits.settling)
            report.meansAtEnd = means(of: world, memoryBytes)
        }
        if hasLiar, Double(world.tallies.turns) > Double(Limits.turnsAnHour * nodes) * max(hours, 1) {
            world.ledger.fail("a liar costs the others too much: \(world.tallies.turns) turns")
        }
        if measuresQuiet, !hasFaultyDisks, !hasLiar, world.ledger.failures.isEmpty { measure(world, into: &report) }
        report.finish(world)
        return report
    }

    /// The device that lies, if one does.
    var liar: Int { Int(seed % UInt64(nodes)) }

    private func means(of world: World, _ memoryBytes: (() -> Int)?) -> Means {
        Means(
            storeBytes: world.hosts.reduce(0) { $0 + $1.disk.storeBytes },
            logBytes: world.hosts.reduce(0) { $0 + $1.disk.logBytes },
            connections: world.hosts.reduce(0) { $0 + $1.connections.count }, memoryBytes: memoryBytes?())
    }

    /// Flushes all nodes and waits until they hold the same.
    private func agree(_ world: World) -> Duration? {
        let start = world.now
        world.run(until: start + Limits.stragglers)
        let resting = world.hosts.indices.filter { world.perform(.flush, on: $0) == .failed }
        if !resting.isEmpty {
            world.run(until: start + Limits.storeRest)
            for index in resting { world.perform(.flush, on: index) }
        }
        var last: String?
        while world.now - start < Limits.agreement, world.ledger.failures.isEmpty {
            world.run(until: world.now + Limits.agreementPoll)
            // All messages are compared only when the digests are equal.
            let living = world.hosts.indices.filter { !world.hosts[$0].isGone && !world.hosts[$0].isLiar }
            let digests = Set(living.map { world.hosts[$0].node?.digest })
            guard digests.count == 1 else {
                last = "the digests differ"
                continue
            }
            let observations = living.compactMap { world.inspect($0, isFull: true) }
            guard observations.count == living.count, world.ledger.failures.isEmpty else { continue }
            last = world.ledger.disagreement(of: observations)
            if last == nil {
                world.ledger.agree(on: observations[0])
                world.story.add(world.now, "all agree on \(observations[0].messages?.count ?? 0) messages")
                return world.now - start
            }
        }
        if world.ledger.failures.isEmpty {
            let seconds = Limits.agreement.components.seconds
            world.ledger.fail(
                "\(Ledger.Invariant.agreement.rawValue): not within \(seconds) s, since \(last ?? "a node is down")")
        }
        return nil
    }

    /// Measures the quiet phase: the idle traffic, and how long one change takes.
    private func measure(_ world: World, into report: inout SimulationReport) {
        world.run(until: world.now + Limits.settling)
        let (datagrams, bytes) = (world.tallies.datagrams, world.tallies.datagramBytes)
        let streams = world.tallies.streams
        world.run(until: world.now + Limits.idleWindow)
        let window = Double(Limits.idleWindow.components.seconds)
        report.idleBeaconsPerSecond = Double(world.tallies.datagrams - datagrams) / window
        report.idleBytesPerSecond = Double(world.tallies.datagramBytes - bytes) / window

        report.idleStreams = world.tallies.streams - streams

        let before = world.hosts.map { $0.node?.digest }
        var changed = [Bool](repeating: false, count: nodes)
        world.afterTurn = { index in
            if !changed[index] { changed[index] = world.hosts[index].node?.digest != before[index] }
        }
        let start = world.now
        world.perform(.message(world.drawMessage()), on: 0)
        world.perform(.flush, on: 0)
        let isEverywhere = {
            !changed.contains(false) && Set(world.hosts.map { $0.node?.digest }).count == 1
        }
        world.run(until: start + Limits.change, isDone: isEverywhere)
        world.afterTurn = nil
        if isEverywhere() {
            report.changeEverywhereAfter = world.now - start
        } else if world.ledger.failures.isEmpty {
            world.ledger.fail(
                "a change in the quiet did not arrive everywhere in \(Limits.change.components.seconds) s")
        }
    }
}
