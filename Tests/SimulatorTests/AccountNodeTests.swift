import TestScale
import Testing

@testable import Simulator

@Suite("The real node in the simulated world")
struct AccountNodeTests {
    /// With 119 and 411 a node once turned without pause: it looked for blobs that it could ask nobody for.
    static let seeds = TestScale.seeds("SIM_SEEDS", usual: 80, proof: 400, onceFailed: [119, 411])

    @Test("Devices agree after any faults", arguments: seeds)
    func agreement(seeds: [UInt64]) throws {
        for seed in seeds {
            let simulation = Simulation(
                seed: seed, nodes: 2 + Int(seed % 4), hours: 0.1, measuresQuiet: false)
            let report = try simulation.runAccount()
            #expect(report.isPassed, "\(report.text(withStory: true))")
        }
    }

    @Test("The same seed gives the same trace")
    func replay() throws {
        let simulation = Simulation(seed: 3, nodes: 3, hours: 0.2, messages: 60)
        let first = try simulation.runAccount()
        let second = try simulation.runAccount()
        #expect(first.traceHash == second.traceHash)
        #expect(first.text(withStory: true) == second.text(withStory: true))
    }

    @Test("The beacons of many nodes are as few as those of two, and a change is everywhere in about a second")
    func presence() throws {
        var beacons: [Double] = []
        for nodes in [2, TestScale.of(usual: 12, proof: 50)] {
            var profile = FaultProfile()
            profile.datagramLoss = 0.2
            let simulation = Simulation(seed: 9, nodes: nodes, hours: 0.02, messages: 4, profile: profile)
            let report = try simulation.runAccount()
            #expect(report.isPassed, "\(report.text(withStory: true))")
            #expect(report.changeEverywhereAfter ?? .seconds(9) < .milliseconds(1_500))
            #expect(report.idleStreams == 0)
            beacons.append(report.idleBeaconsPerSecond ?? 9)
        }
        #expect(beacons.allSatisfy { $0 < 0.15 })
    }
}
