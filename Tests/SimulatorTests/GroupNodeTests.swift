import TestScale
import Testing

@testable import Simulator

@Suite("Groups in the simulated world")
struct GroupNodeTests {
    /// Under 106 a removal read a lane's rows while it read them. `replay` plays others, too.
    static let seeds = TestScale.seeds("GROUP_SEEDS", usual: 10, proof: 400, onceFailed: [106])

    private static func simulation(_ seed: UInt64) -> Simulation {
        Simulation(
            seed: seed, nodes: 3 + Int(seed % 7), hours: 0.2, workload: .group, measuresQuiet: false)
    }

    @Test(
        "Those who keep the rules agree, whatever the others write and whatever fails",
        arguments: seeds)
    func agreement(seeds: [UInt64]) throws {
        for seed in seeds {
            let report = try Self.simulation(seed).runGroup()
            #expect(report.isPassed, "\(report.text(withStory: true))")
        }
    }

    /// Its row went aside between HELLO and the first vector, and came back after that.
    @Test("A lane whose rows come back is told again")
    func rowsThatCameBack() throws {
        let world = Simulation(seed: 97127, nodes: 7, hours: 0.05, workload: .group)
        let report = try world.runGroup()
        #expect(report.isPassed, "\(report.text(withStory: true))")
    }

    @Test("The same seed gives the same trace; all kinds of deeds happen, and each rule is judged")
    func replay() throws {
        let first = try Self.simulation(7).runGroup()
        let second = try Self.simulation(7).runGroup()
        #expect(first.traceHash == second.traceHash)
        var (counts, checks): ([String: Int], [String: Int]) = ([:], [:])
        // Together they have all deeds and checks, including rare ones.
        for report in try [first] + [22, 113].map({ try Self.simulation($0).runGroup() }) {
            #expect(report.isPassed, "\(report.text(withStory: true))")
            for (what, count) in report.counts { counts[what, default: 0] += count }
            for (invariant, count) in report.checks { checks[invariant, default: 0] += count }
        }
        for rule in GroupVerdict.Rule.allCases { #expect(checks[rule.rawValue] ?? 0 > 0, "\(rule)") }
        for deed in GroupDeed.allCases { #expect(counts["deeds: \(deed.rawValue)"] ?? 0 > 0, "\(deed)") }
    }
}
