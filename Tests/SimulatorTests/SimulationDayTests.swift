import Glibc
import Testing

@testable import Simulator

@Suite("A day of four devices, in random order and under faults")
struct SimulationDayTests {
    /// DAY_SEEDS=8000 for a nightly run.
    static let seeds = getenv("DAY_SEEDS").flatMap { UInt64(String(cString: $0)) } ?? 200
    private static let chunk: UInt64 = 20

    @Test("Every device ends with the same rows and counts", arguments: Array(stride(from: 1, through: seeds, by: 20)))
    func agreement(first: UInt64) throws {
        for seed in first..<min(first + Self.chunk, Self.seeds + 1) {
            let simulation = Simulation(
                seed: seed, nodes: 4, hours: 0.2, workload: .day, messages: 60, measuresQuiet: false)
            let report = try simulation.runAccount()
            #expect(report.isPassed, "\(report.text(withStory: true))")
        }
    }
}
