import NodeCore
import TestScale
import Testing

@testable import Simulator

@Suite("The simulated world, with toys in it")
struct SimulationTests {
    private static func run(
        seed: UInt64, nodes: Int = 4, hours: Double = 0.2, messages: Int = 60, profile: FaultProfile? = nil,
        bug: ToyNode.Bug = .none
    ) throws -> SimulationReport {
        let simulation = Simulation(seed: seed, nodes: nodes, hours: hours, messages: messages, profile: profile)
        return try simulation.run { index, address, disk, random, turn in
            try ToyNode(index: index, address: address, disk: disk, random: random, turn: turn, bug: bug)
        }
    }

    @Test(
        "Honest nodes agree after any faults",
        arguments: 1...TestScale.of(usual: 6, proof: 24) as ClosedRange<UInt64>)
    func honest(seed: UInt64) throws {
        let report = try Self.run(seed: seed, nodes: 2 + Int(seed % 4))
        #expect(report.isPassed, "\(report.text(withStory: true))")
        #expect(report.checks.allSatisfy { $0.count > 0 })
    }

    @Test("The same seed gives the same trace, another seed another")
    func replay() throws {
        let first = try Self.run(seed: 77)
        let second = try Self.run(seed: 77)
        #expect(first.traceHash == second.traceHash)
        #expect(first.text(withStory: true) == second.text(withStory: true))
        #expect(try Self.run(seed: 78).traceHash != first.traceHash)
    }

    @Test(
        "Planted bugs are seen",
        arguments: ToyNode.Bug.allCases.filter { $0 != .none })
    func plantedBugs(bug: ToyNode.Bug) throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            if try !Self.run(seed: seed, messages: 120, bug: bug).isPassed { return }
        }
        Issue.record("20 seeds did not show \(bug)")
    }

    @Test("All kinds of faults happen")
    func faults() throws {
        var profile = FaultProfile()
        profile.datagramLoss = 0.2
        profile.datagramDuplication = 0.1
        profile.datagramCorruption = 0.1
        profile.streamCorruption = 0.01
        profile.crashEvery = .seconds(30)
        profile.partitionEvery = .seconds(60)
        profile.resetEvery = .seconds(20)
        profile.moveEvery = .seconds(120)
        profile.clockJumpEvery = .seconds(60)
        profile.fullDiskEvery = .seconds(60)
        let report = try Self.run(seed: 5, nodes: 5, hours: 1, messages: 300, profile: profile)
        #expect(report.isPassed, "\(report.text(withStory: true))")
        let mayBeNone = ["operations without effect", "operations failed"]
        for (what, count) in report.counts where !mayBeNone.contains(what) { #expect(count > 0, "\(what)") }
    }

    @Test(
        "Idle beacons do not grow with the nodes; a change is everywhere in about a second",
        arguments: TestScale.of(usual: [2, 10], proof: [2, 10, 20, 50]))
    func presence(nodes: Int) throws {
        var profile = FaultProfile()
        profile.datagramLoss = 0.2
        let report = try Self.run(seed: 9, nodes: nodes, hours: 0.05, messages: 20, profile: profile)
        #expect(report.isPassed, "\(report.text(withStory: true))")
        #expect(report.idleBeaconsPerSecond ?? 1 < 0.15)
        #expect(report.idleStreams ?? 99 == 0)
        #expect(report.changeEverywhereAfter ?? .seconds(9) < .milliseconds(1_500))
    }
}
