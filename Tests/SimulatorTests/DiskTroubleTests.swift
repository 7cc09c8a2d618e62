import TestScale
import Testing

@testable import Simulator

@Suite("The real node on disks that fail")
struct DiskTroubleTests {
    static let seeds = TestScale.seeds("DISK_SEEDS", usual: 120, proof: 400)

    @Test("Nothing acknowledged is lost, damage is named and healed, and devices agree", arguments: seeds)
    func agreement(seeds: [UInt64]) throws {
        for seed in seeds {
            let simulation = Simulation(
                seed: seed, nodes: 2 + Int(seed % 4), hours: 0.2, workload: seed.isMultiple(of: 3) ? .day : .messages,
                hasFaultyDisks: true, measuresQuiet: false)
            let report = try simulation.runAccount()
            #expect(report.isPassed, "\(report.text(withStory: true))")
        }
    }

    @Test(
        "What rows say that a lost log left behind is taken again",
        arguments: [
            Simulation(seed: 56494, nodes: 3, hours: 0.2, workload: .day, hasFaultyDisks: true),
            Simulation(seed: 54902, nodes: 6, hours: 0.2, hasFaultyDisks: true, hasLiar: true),
        ])
    func betweenTwoCommits(world: Simulation) throws {
        let report = try world.runAccount()
        #expect(report.isPassed, "\(report.text(withStory: true))")
    }

    /// A device rewrote a segment and lost its home when another one had the record, and not yet the blob. The other
    /// reads from the older blob what the first, in a new lane, does not have.
    @Test(
        "What was in a segment whose rewriting is lost comes to those who ask for that",
        arguments: [
            Simulation(seed: 40534, nodes: 2, hours: 0.1, hasFaultyDisks: true),
            Simulation(seed: 90853, nodes: 2, hours: 0.05, hasFaultyDisks: true),
        ])
    func lostRewriting(world: Simulation) throws {
        let report = try world.runAccount()
        #expect(report.isPassed, "\(report.text(withStory: true))")
    }

    static let groupSeeds = TestScale.seeds("GROUP_DISK_SEEDS", usual: 60, proof: 400)
    /// A copied lane went on; one that a stolen device let in was not told; a removed device's copy started afresh.
    static let failedGroupSeeds: [[UInt64]] = [[245], [314], [387], [687]]

    @Test("So do the members of a group", arguments: groupSeeds + failedGroupSeeds)
    func agreementOfGroups(seeds: [UInt64]) throws {
        for seed in seeds {
            let simulation = Simulation(
                seed: seed, nodes: 3 + Int(seed % 7), hours: 0.2, workload: .group, hasFaultyDisks: true,
                measuresQuiet: false)
            let report = try simulation.runGroup()
            #expect(report.isPassed, "\(report.text(withStory: true))")
        }
    }

    /// Its device never starts again. The owner, cut off until then, is the only honest device that is left.
    @Test("A result that only a dishonest member has left comes to the others")
    func heldByTheDishonest() throws {
        let world = Simulation(seed: 86097, nodes: 5, hours: 0.05, workload: .group, hasFaultyDisks: true)
        let report = try world.runGroup()
        #expect(report.isPassed, "\(report.text(withStory: true))")
    }

    @Test("The same seed gives the same trace")
    func replay() throws {
        let simulation = Simulation(seed: 3, nodes: 3, hours: 0.2, hasFaultyDisks: true, measuresQuiet: false)
        let first = try simulation.runAccount()
        let second = try simulation.runAccount()
        #expect(first.traceHash == second.traceHash)
        #expect(first.text(withStory: true) == second.text(withStory: true))
    }
}
