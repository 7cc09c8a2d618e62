import NodeCore

/// The result of a run.
package struct SimulationReport: Sendable {
    package let seed: UInt64
    package let nodes: Int
    package let hours: Double
    package let workload: Simulation.Workload
    package let hasFaultyDisks: Bool
    package let hasLiar: Bool
    package let profile: FaultProfile
    /// After the end of the faults; nil for never.
    package internal(set) var agreedAfter: Duration?
    /// Of all nodes together, when nothing happens.
    package internal(set) var idleBeaconsPerSecond: Double?
    package internal(set) var idleBytesPerSecond: Double?
    /// Sessions opened while nothing happened: shows peers that displace each other endlessly.
    package internal(set) var idleStreams: Int?
    /// In the quiet phase: from a write on one node until all hold it.
    package internal(set) var changeEverywhereAfter: Duration?
    /// In a run of `soak`: what the nodes take when they have just been used, and at the end of the quiet hours.
    package internal(set) var meansAfterWork: Means?
    package internal(set) var meansAtEnd: Means?
    /// The violations; empty for a good run.
    package internal(set) var failures: [String] = []
    /// The number of checks of each invariant.
    package internal(set) var checks: [(invariant: String, count: Int)] = []
    /// Events and how often they occurred, in a fixed order.
    package internal(set) var counts: [(what: String, count: Int)] = []
    /// Faults, starts and ends, by virtual time.
    package internal(set) var story: [String] = []
    package internal(set) var storyOmitted = 0
    package internal(set) var virtualTime = Duration.zero
    /// 16 hexadecimal digits over everything that happened.
    package internal(set) var traceHash = ""

    package var isPassed: Bool { failures.isEmpty }

    init(simulation: Simulation, profile: FaultProfile) {
        seed = simulation.seed
        nodes = simulation.nodes
        hours = simulation.hours
        workload = simulation.workload
        hasFaultyDisks = simulation.hasFaultyDisks
        hasLiar = simulation.hasLiar
        self.profile = profile
    }

    mutating func finish(_ world: World) {
        failures = world.ledger.failures
        checks = world.ledger.counts.filter { $0.invariant != .damageIsNamed || hasFaultyDisks }
            .map { ($0.invariant.rawValue, $0.checks) }
        story = world.story.lines
        storyOmitted = world.story.omitted
        virtualTime = world.now - .zero
        world.trace.mix(UInt64(bitPattern: world.now.nanoseconds))
        traceHash = world.trace.hex
        let tallies = world.tallies
        counts = [
            ("events", tallies.events), ("turns of nodes", tallies.turns),
            ("operations acknowledged", tallies.acknowledged), ("operations without effect", tallies.unchanged),
            ("crashes", tallies.crashes), ("partitions", tallies.partitions), ("moves", tallies.moves),
            ("operations failed", tallies.failed), ("full disks", tallies.fullDisks),
            ("clock jumps", tallies.clockJumps), ("beacons", tallies.datagrams),
            ("beacon bytes", tallies.datagramBytes), ("streams", tallies.streams),
            ("streams broken", tallies.brokenStreams), ("stream pieces changed", tallies.corruptions),
            ("stream bytes", tallies.streamBytes),
        ]
        if hasFaultyDisks {
            counts += [("faults of disks", tallies.diskFaults), ("homes given up", tallies.abandonedHomes)]
        }
    }
}

extension SimulationReport {
    /// The arguments that replay the run.
    package var replay: String {
        "kachat-node sim --seed \(seed) --nodes \(nodes) --hours \(hours)"
            + (workload == .messages ? "" : " --workload \(workload.rawValue)") + (hasFaultyDisks ? " --disk" : "")
            + (hasLiar ? " --liar" : "")
    }

    /// The report for people: the story if requested, numbers, invariants, the verdict.
    package func text(withStory: Bool) -> String {
        var lines = ["seed \(seed), \(nodes) nodes, \(hours) hours: \(profile)"]
        if withStory {
            lines += story.map { "  " + $0 }
            if storyOmitted > 0 { lines.append("  and \(storyOmitted) more") }
        }
        lines.append("virtual time \(Story.clock(.zero + virtualTime))")
        lines += counts.map { "  \($0.what): \($0.count)" }
        if let agreedAfter { lines.append("agreement after the faults' end: \(Self.seconds(agreedAfter))") }
        if let idleBeaconsPerSecond, let idleBytesPerSecond, let idleStreams {
            lines.append(
                "idle: \(Self.rounded(idleBeaconsPerSecond)) beacons/s, \(Self.rounded(idleBytesPerSecond)) B/s, "
                    + "all nodes together; \(idleStreams) new streams")
        }
        if let changeEverywhereAfter {
            lines.append("a change is everywhere after \(Self.seconds(changeEverywhereAfter))")
        }
        if let meansAfterWork, let meansAtEnd {
            lines += ["after the work: \(meansAfterWork)", "at the end: \(meansAtEnd)"]
        }
        lines.append("invariants checked:")
        lines += checks.map { "  \($0.invariant): \($0.count)" }
        lines += failures.map { "FAILED: \($0)" }
        lines.append(isPassed ? "passed" : "replay with: \(replay)")
        lines.append("trace \(traceHash)")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func seconds(_ duration: Duration) -> String {
        "\(rounded(Double(duration.heldMilliseconds) / 1_000)) s"
    }

    private static func rounded(_ value: Double) -> String {
        "\((value * 1_000).rounded() / 1_000)"
    }
}
