import TestScale
import Testing

@testable import Simulator

@Suite("Groups in the simulated world")
struct GroupNodeTests {
    /// These once failed: 24 (roots that a welcome brought), 98, 122 and 144 (a lane forked under a root that came
    /// late), 113 (a rotation that a transfer beside it made void). Mostly they are enough: `replay` plays others.
    static let seeds = TestScale.seeds("GROUP_SEEDS", usual: 0, proof: 8_000, onceFailed: [24, 98, 113, 122, 144])

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

    /// A member of two devices left, and one of them was let in again after two rotations.
    @Test(.enabled(if: TestScale.proves, "\(TestScale.provesOnly)"))
    func whoIsLetInAgainBringsItsOtherDevices() throws {
        let report = try Simulation(seed: 20105, nodes: 5, hours: 0.7, workload: .group, measuresQuiet: false)
            .runGroup()
        #expect(report.isPassed, "\(report.text(withStory: true))")
    }

    @Test("The same seed gives the same trace; all kinds of deeds happen")
    func replay() throws {
        let first = try Self.simulation(1).runGroup()
        let second = try Self.simulation(1).runGroup()
        #expect(first.traceHash == second.traceHash)
        var counts: [String: Int] = [:]
        // Between them they have all, rare ones too.
        for report in try [first] + [2, 3, 4, 6].map({ try Self.simulation($0).runGroup() }) {
            #expect(report.isPassed, "\(report.text(withStory: true))")
            for (what, count) in report.counts { counts[what, default: 0] += count }
        }
        for deed in GroupDeed.allCases { #expect(counts["deeds: \(deed.rawValue)"] ?? 0 > 0, "\(deed)") }
    }
}
