import Simulator
import TestScale
import Testing

/// The property test of reconciliation: random histories on the real engine and the real store.
@Suite struct HistoryTests {
    @Test(arguments: TestScale.seeds("HISTORIES", usual: 60, proof: 100_000))
    func historiesConverge(seeds: [UInt64]) throws {
        for seed in seeds {
            // Some without any fault.
            let faults = seed % 6 == 3 ? [] : HistoryFault.allCases
            let failures = try History.play(seed: seed, faults: faults).failures
            #expect(failures.isEmpty, "replay with HISTORIES=\(seed)..\(seed)")
        }
    }
}
