import TestScale
import Testing

@testable import Simulator

@Suite("A day of four devices, in random order and under faults")
struct SimulationDayTests {
    static let seeds = TestScale.seeds("DAY_SEEDS", usual: 10, proof: 400, onceFailed: [162])

    @Test("Every device ends with the same rows and counts", arguments: seeds)
    func agreement(seeds: [UInt64]) throws {
        for seed in seeds {
            let simulation = Simulation(
                seed: seed, nodes: 4, hours: 0.2, workload: .day, messages: 60, measuresQuiet: false)
            let report = try simulation.runAccount()
            #expect(report.isPassed, "\(report.text(withStory: true))")
        }
    }
}
