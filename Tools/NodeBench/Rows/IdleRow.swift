import Glibc

/// Two idle nodes.
struct IdleRow {
    let subject: Subject
    let options: BenchOptions

    func measure() throws -> [Figure] {
        let common = ["--records", "0", "--wait", "--discovery", "lo"]
        let nodes = try (0..<2).map { _ in try Subject.worker("node", ["--home", try subject.home("idle")] + common) }
        for node in nodes { _ = try node.numbers("complete", within: 60) }
        // They have met, and their beacons become rarer.
        sleep(UInt32(min(options.idleSeconds, 10)))
        let before = nodes.map(\.cpuNanoseconds)
        sleep(UInt32(options.idleSeconds))
        let used = zip(nodes, before).map { Double($0.cpuNanoseconds - $1) / 1e9 }
        let lifetime = Double(options.idleSeconds + min(options.idleSeconds, 10))
        for node in nodes { node.stop() }
        let beacons = try nodes.map { Double(try $0.numbers("beacons")[0]) / lifetime }
        let minute = 60 / Double(max(options.idleSeconds, 1))
        return [
            Figure("idle", "CPU a minute, the busier of two", (used.max() ?? 0) * minute, "s", goal: .atMost(0.03)),
            Figure("idle", "beacons, from the start, the busier of two", beacons.max() ?? 0, "B/s", goal: .atMost(100)),
        ]
    }
}
