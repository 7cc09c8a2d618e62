import NodeCore
import Simulator
import SyncState
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// The property test of reconciliation: random histories on the real engine and the real store.
@Suite struct HistoryTests {
    /// HISTORIES=100000 for a nightly run.
    static let count = getenv("HISTORIES").flatMap { UInt64(String(cString: $0)) } ?? 10_000
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
        // Hardly ever seen since no head stands above the rows: the search begins shortly before the first seed.
        let first: UInt64 = rule == .pageBeyondHead ? 1_900 : 0
        for seed in first..<first + 3_000 {
            if try !History.play(seed: seed, faults: HistoryFault.allCases, rules: Rules(broken: rule)).failures.isEmpty
            {
                print("\(rule.rawValue): seed \(seed)")
                return
            }
        }
        Issue.record("\(rule.rawValue) is switched off, and nothing fails")
    }
}
