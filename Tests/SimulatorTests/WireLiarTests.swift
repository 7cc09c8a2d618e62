import TestScale
import Testing

@testable import Simulator

@Suite("A device of the account breaks the protocol, and clocks stand still or run backwards")
struct WireLiarTests {
    static let seeds = TestScale.seeds("LIAR_SEEDS", usual: 20, proof: 400)

    private func simulation(_ seed: UInt64) -> Simulation {
        Simulation(
            seed: seed, nodes: 3 + Int(seed % 4), hours: 0.2, workload: seed.isMultiple(of: 3) ? .day : .messages,
            hasFaultyDisks: seed.isMultiple(of: 5), hasLiar: true, measuresQuiet: false)
    }

    @Test("The others lose nothing, begin no new lane, and agree while it goes on", arguments: seeds)
    func agreement(seeds: [UInt64]) throws {
        for seed in seeds {
            let report = try simulation(seed).runAccount()
            #expect(report.isPassed, "\(report.text(withStory: true))")
        }
    }

    @Test("The same seed gives the same trace") func replay() throws {
        #expect(try simulation(2).runAccount().traceHash == simulation(2).runAccount().traceHash)
    }
}
