import Glibc
import Testing

@testable import Simulator

@Suite("Groups in the simulated world")
struct GroupNodeTests {
    /// GROUP_SEEDS=8000 for a nightly run. Among these are those that once failed: 24 (roots that a welcome brought),
    /// 98, 122 and 144 (a lane forked under a root that came late), 113 (a rotation that a transfer beside it made
    /// void).
    static let seeds = getenv("GROUP_SEEDS").flatMap { UInt64(String(cString: $0)) } ?? 500
    private static let chunk: UInt64 = 25

    private static func simulation(_ seed: UInt64) -> Simulation {
        Simulation(
            seed: seed, nodes: 3 + Int(seed % 7), hours: 0.2, workload: .group, measuresQuiet: false)
    }

    @Test(
        "Those who keep the rules agree, whatever the others write and whatever fails",
        arguments: Array(stride(from: 1, through: seeds, by: Int(chunk))))
    func agreement(first: UInt64) throws {
        for seed in first..<min(first + Self.chunk, Self.seeds + 1) {
            let report = try Self.simulation(seed).runGroup()
            #expect(report.isPassed, "\(report.text(withStory: true))")
        }
    }

    /// A member of two devices left, and one of them was let in again after two rotations.
    @Test func whoIsLetInAgainBringsItsOtherDevices() throws {
        let report = try Simulation(seed: 20105, nodes: 5, hours: 0.7, workload: .group, measuresQuiet: false)
            .runGroup()
        #expect(report.isPassed, "\(report.text(withStory: true))")
    }

    @Test("The same seed gives the same trace; all kinds of deeds happen")
    func replay() throws {
        let first = try Self.simulation(6).runGroup()
        let second = try Self.simulation(6).runGroup()
        #expect(first.traceHash == second.traceHash)
        var counts: [String: Int] = [:]
        for seed in 1...10 as ClosedRange<UInt64> {
            for (what, count) in try Self.simulation(seed).runGroup().counts { counts[what, default: 0] += count }
        }
        for deed in GroupDeed.allCases { #expect(counts["deeds: \(deed.rawValue)"] ?? 0 > 0, "\(deed)") }
    }
}
