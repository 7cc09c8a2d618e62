import Testing

@testable import Simulator

@Suite("The real node in the simulated world")
struct AccountNodeTests {
    @Test("Devices agree after any faults", arguments: 1...20 as ClosedRange<UInt64>)
    func agreement(seed: UInt64) throws {
        let simulation = Simulation(seed: seed, nodes: 2 + Int(seed % 4), hours: 0.2, messages: 60)
        let report = try simulation.runAccount()
        #expect(report.isPassed, "\(report.text(withStory: true))")
    }

    @Test("The same seed gives the same trace")
    func replay() throws {
        let simulation = Simulation(seed: 3, nodes: 3, hours: 0.2, messages: 60)
        let first = try simulation.runAccount()
        let second = try simulation.runAccount()
        #expect(first.traceHash == second.traceHash)
        #expect(first.text(withStory: true) == second.text(withStory: true))
    }
}
