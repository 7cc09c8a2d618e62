import NodeCore

/// Clocks that stand still, run backwards, or too fast, as drawn from the seed by a stream of their own.
struct ClockTrouble {
    let world: World

    func plan(seed: UInt64, over span: Duration) {
        var random: any RandomSource = SeededRandom(seed: seed &* 0x9e37_79b9_7f4a_7c15 &+ 23)
        for _ in 0..<Int.random(in: 0...2 * world.hosts.count, using: &random) {
            let event = WorldEvent.clock(
                node: Int.random(in: 0..<world.hosts.count, using: &random),
                rate: [0, 0, -1, -3_600, 1, 60].randomElement(using: &random) ?? 0)
            world.plan(event, after: .nanoseconds(Int64.random(in: 0...span.heldNanoseconds, using: &random)))
        }
    }

    func set(_ index: Int, rate: Int) {
        guard world.faultsEndedAt == nil else { return }
        world.hosts[index].setWallRate(rate, at: world.now)
        world.trace.mix("clock")
        world.story.add(world.now, "the clock of node \(index) goes at \(rate) times its speed")
    }
}
