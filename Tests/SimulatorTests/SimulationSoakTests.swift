import TestScale
import Testing

@testable import Simulator

@Suite("Hours in which nobody writes, while nodes die and the network breaks")
struct SimulationSoakTests {
    @Test("The stores stay as large as they were, and no connection is left over", arguments: [1, 2] as [UInt64])
    func nothingGrows(seed: UInt64) throws {
        let simulation = Simulation(
            seed: seed, nodes: 3, hours: TestScale.of(usual: 1.2, proof: 12), workload: .soak, measuresQuiet: false)
        let report = try simulation.runAccount()
        #expect(report.isPassed, "\(report.text(withStory: true))")
        let (before, after) = (try #require(report.meansAfterWork), try #require(report.meansAtEnd))
        print("soak of \(simulation.hours) hours: \(before); then \(after)")
        // This leaves room for some fresh starts, which copy live values.
        #expect(after.storeBytes <= before.storeBytes * 11 / 10)
        // A commit may exceed the bound.
        #expect(after.logBytes <= 3 * 2 * Limits.checkpointBytes)
        // There is one for each pair, counted at both ends.
        #expect(after.connections == 6)
    }
}
