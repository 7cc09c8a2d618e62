import NodeCore
import Simulator
import SyncState
import TestScale
import Testing

/// The property test of reconciliation: random histories on the real engine and the real store.
@Suite struct HistoryTests {
    static let count = TestScale.count("HISTORIES", usual: 120, proof: 100_000)
    /// Parts that run at the same time.
    static let parts: UInt64 = 4

    @Test(arguments: 0..<parts)
    func historiesConverge(part: UInt64) throws {
        for seed in stride(from: part, to: Self.count, by: Int(Self.parts)) {
            let faults = seed % 6 == 0 ? [] : HistoryFault.allCases
            let result = try History.play(seed: seed, faults: faults)
            #expect(result.failures.isEmpty, "replay: seed \(seed)")
        }
    }

    @Test(arguments: RuleSwitch.allCases)
    func aMissingRuleIsSeen(rule: RuleSwitch) throws {
        // The search begins where it last ended: the first of these are the seeds that showed it.
        let first: UInt64 =
            switch rule {
            case .compareOnlyClean, .peekWithoutRangeReach: 13
            case .segmentTag: 18
            case .ignoreOwnFork: 23
            case .ignoreClone: 24
            case .retireNotFirst: 32
            // Hardly ever seen since no head stands above the rows.
            case .pageBeyondHead: 1_927
            default: 0
            }
        for seed in Array(first..<first + 3_000) + Array(0..<first) {
            if try !History.play(seed: seed, faults: HistoryFault.allCases, rules: Rules(broken: rule)).failures.isEmpty
            {
                if seed != first { print("\(rule.rawValue): seed \(seed)") }
                return
            }
        }
        Issue.record("\(rule.rawValue) is switched off, and nothing fails")
    }
}
