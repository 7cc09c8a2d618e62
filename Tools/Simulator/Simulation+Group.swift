import LeaderboardShare
import NodeCore
import SyncState

extension Simulation {
    /// Runs a group of friends: some are honest, some break its rules with all their keys; tokens are handed over
    /// outside. Then faults end, and the run checks whether the members hold the same group.
    package func runGroup() throws -> SimulationReport {
        precondition(Limits.nodes.contains(nodes), "invariant: the caller has checked the number of nodes")
        var random: any RandomSource = SeededRandom(seed: seed)
        let span = Duration.milliseconds(Int64(hours * 3_600_000))
        let drawn = FaultProfile.drawn(over: span, random: &random)
        let profile = self.profile ?? drawn
        let board = GroupBoard(nodes: nodes, random: &random)
        let seed = seed
        let world = World(
            nodes: nodes, profile: profile, random: SeededRandom(seed: random.next()), diskSeed: seed,
            hasFaultyDisks: hasFaultyDisks
        ) { index, address, disk, random, turn in
            try GroupNode(
                index: index, seed: seed, board: board, address: address, disk: disk, random: random, turn: turn)
        }
        let end = MonotonicTime.zero + span
        for index in 0..<nodes { world.start(index) }
        world.planFaults()
        world.planDeeds(messages, board, until: end)
        world.planScenes(until: end)
        board.openZones = { [unowned world] in
            world.hosts.compactMap { $0.node as? GroupNode }.filter { !$0.isStolen && !$0.hasWithdrawn }
                .compactMap(\.zone)
        }
        if hasFaultyDisks {
            DiskTrouble(world: world).plan(seed: seed, over: span, kinds: .ofGroups)
            world.onDamage = { [unowned world] node in
                if world.hosts[node].isGone { board.gone.insert(node) }
                // The home that was there cannot be shut out any more: that would mean the one in its place.
                board.settle(node, device: world.hosts[node].disk.device)
                board.damage(node)
            }
            world.mayCopy = board.mayCopy
        }
        world.planInspections(every: .seconds(60), until: end)
        world.run(until: end)

        var report = SimulationReport(simulation: self, profile: profile)
        var checks: [GroupVerdict.Rule: Int] = [:]
        if world.ledger.failures.isEmpty {
            world.endFaults()
            report.agreedAfter = agreeOnGroup(world, board, &checks)
        }
        report.finish(world)
        // The others are about messages.
        report.checks.removeAll { $0.count == 0 }
        report.checks += GroupVerdict.Rule.allCases.map { ($0.rawValue, checks[$0] ?? 0) }
        report.counts += GroupDeed.allCases.map { ("deeds: \($0.rawValue)", board.counts[$0] ?? 0) }
        return report
    }

    private func agreeOnGroup(
        _ world: World, _ board: GroupBoard, _ checks: inout [GroupVerdict.Rule: Int]
    ) -> Duration? {
        let start = world.now
        world.run(until: start + Limits.stragglers)
        guard agreeOnGroup(world, board, &checks, since: start, isFresh: false) else { return nil }
        let took = world.now - start
        // The memory must agree with the stores.
        let again: MonotonicTime
        if hasFaultyDisks {
            again = world.now
            DiskTrouble(world: world).endPower()
        } else {
            for index in world.hosts.indices { world.kill(index, isSilent: false) }
            again = world.now
            world.run(until: again + Limits.restarts)
        }
        return agreeOnGroup(world, board, &checks, since: again, isFresh: true) ? took : nil
    }

    private func agreeOnGroup(
        _ world: World, _ board: GroupBoard, _ checks: inout [GroupVerdict.Rule: Int], since start: MonotonicTime,
        isFresh: Bool
    ) -> Bool {
        var last: String?
        while world.now - start < Limits.agreement, world.ledger.failures.isEmpty {
            world.run(until: world.now + Limits.agreementPoll)
            let nodes = world.hosts.filter { !$0.isGone }.map { $0.node as? GroupNode }
            let found = GroupVerdict(nodes, board, isFresh: isFresh)
            last = found.disagreement
            guard last == nil else { continue }
            checks.merge(found.checks, uniquingKeysWith: +)
            for broken in found.broken { world.ledger.fail(broken) }
            world.story.add(world.now, "\(found.present) devices agree on \(found.members) members")
            return found.broken.isEmpty
        }
        if world.ledger.failures.isEmpty {
            world.ledger.fail(
                "\(Ledger.Invariant.agreement.rawValue): not within \(Limits.agreement.components.seconds) s, since "
                    + "\(last ?? "a node is down")")
        }
        return false
    }
}

extension World {
    /// Scenes that would rarely happen by chance: one ticket used on both sides of a partition, and a stolen device, in
    /// every second run; and the group's end, in every fourth.
    func planScenes(until end: MonotonicTime) {
        let span = max((end - now).heldNanoseconds, 1)
        func later(_ from: Double, _ to: Double) -> Duration {
            .nanoseconds(Int64(Double(span) * Double.random(in: from...to, using: &random)))
        }
        if hosts.count > 3, Bool.random(using: &random) {
            let at = later(0.05, 0.4)
            plan(.operation(node: 0, .group(.inviteOne)), after: at)
            // The owner's devices are on different sides; only the first issued the token.
            plan(.split, after: at + .seconds(1))
            for index in 2..<hosts.count {
                plan(.operation(node: index, .group(.joinCounted)), after: at + .seconds(2))
            }
        }
        if Bool.random(using: &random) {
            // The owner's second device, or the third member's.
            let node = Bool.random(using: &random) ? 0 : 2
            for _ in 0..<3 where node < hosts.count {
                plan(.operation(node: node, .group(.removeDevice)), after: later(0.3, 0.9))
            }
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            plan(.operation(node: Int.random(in: 0..<2, using: &random), .group(.close)), after: later(0.7, 1))
        }
    }

    /// Plans everybody's actions, spread evenly over the time with faults.
    func planDeeds(_ count: Int, _ board: GroupBoard, until end: MonotonicTime) {
        let span = max((end - now).heldNanoseconds, 1)
        for number in 0..<count {
            let index = Int.random(in: 0..<hosts.count, using: &random)
            let deeds = board.isHonest(index) ? GroupDeed.honest : GroupDeed.dishonest
            let deed = deeds.randomElement(using: &random) ?? .post
            // First there must be an invitation to join with.
            let (node, first) = number == 0 ? (0, GroupDeed.invite) : (index, deed)
            let wait = number == 0 ? Duration.zero : .nanoseconds(Int64.random(in: 0...span, using: &random))
            plan(.operation(node: node, .group(first)), after: wait)
        }
    }
}
