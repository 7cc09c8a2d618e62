import Glibc
import NodeCore
import ProcessHarness

/// Strangers flood a node that serves its owner meanwhile.
struct FloodRow {
    private static let perSecond = 5_000
    private static let seconds = 8
    private static let datagramsPerSecond = 100_000
    private static let newcomers = 5
    let subject: Subject

    func measure() throws -> [Figure] { try knocks() + crowd() + datagrams() }

    /// Garbage handshakes, and what the owner notices of them.
    private func knocks() throws -> [Figure] {
        let node = try RunningNode(try subject.home("knocked"))
        defer { node.stop() }
        let idle = try node.statusMilliseconds(for: .seconds(2))
        // One process alone waits for each answer: it would not get that far.
        let strangers = try (0..<4).map { _ in
            try Subject.worker("knock", ["--port", node.port, "--pushes", "\(Self.perSecond / 4)"])
        }
        defer { for stranger in strangers { stranger.kill() } }
        for stranger in strangers { _ = try stranger.numbers("knocks", within: 30) }
        let busy = try node.statusMilliseconds(for: .seconds(Self.seconds))
        // Without the requests, which cost something themselves.
        let shares = cpuShares { node.times }
        let rate = try strangers.map { try $0.last("knocks").perSecond }.reduce(0, +)
        return [
            Figure("flood", "garbage handshakes", rate, "/s"),
            Figure("flood", "beside them: own code", shares.user, "% of a core", goal: .atMost(15)),
            Figure("flood", "beside them: kernel", shares.system, "% of a core"),
            Figure(
                "flood", "beside them: GET /v1/status, p99", busy.percentile(0.99), "ms",
                limit: idle.percentile(0.99), goal: .atMost(50)),
        ]
    }

    /// The use of a process over some seconds, in percent of a core.
    private func cpuShares(_ times: () -> CPUTimes) -> (user: Double, system: Double) {
        let (before, time) = (times(), Stopwatch())
        usleep(UInt32(Self.seconds) * 1_000_000)
        let (after, elapsed) = (times(), time.seconds)
        return ((after.user - before.user) / elapsed * 100, (after.system - before.system) / elapsed * 100)
    }

    /// Silent and dripping connections from 64 addresses, and a new device.
    private func crowd() throws -> [Figure] {
        let node = try RunningNode(try subject.home("crowded"))
        defer { node.stop() }
        let strangers = try Subject.worker("crowd", ["--port", node.port])
        defer { strangers.kill() }
        _ = try strangers.numbers("crowded", within: 30)
        let seconds = try secondsToMeet(node, peer: node.listen)
        return [
            Figure("flood", "beside 64 silent addresses: a new device is connected", seconds, "s", goal: .atMost(5))
        ]
    }

    /// Datagrams that are no beacons or copies of one, and new devices that are found by beacons among them.
    private func datagrams() throws -> [Figure] {
        let node = try RunningNode(try subject.home("sprayed"), discovery: "lo")
        defer { node.stop() }
        let resident = node.residentKiB
        let strangers = try Subject.worker("spray", ["--pushes", "\(Self.datagramsPerSecond)"])
        defer { strangers.kill() }
        _ = try strangers.numbers("datagrams", within: 30)
        let seconds = try (0..<Self.newcomers).map { _ in try secondsToMeet(node, discovery: "lo") }
        _ = try strangers.numbers("recorded")
        let shares = cpuShares { node.times }
        let sender = cpuShares { strangers.times }
        return [
            Figure("flood", "datagrams", try strangers.last("datagrams").perSecond, "/s"),
            Figure("flood", "their sender", sender.user + sender.system, "% of a core"),
            Figure("flood", "beside them: own code", shares.user, "% of a core"),
            Figure("flood", "beside them: kernel", shares.system, "% of a core"),
            Figure(
                "flood", "beside them: memory gained", (node.residentKiB - resident) / 1_024, "MB", goal: .atMost(4)),
            Figure("flood", "beside them: a new device is found and connected", seconds.median, "s", goal: .atMost(3)),
            Figure("flood", "the slowest of \(Self.newcomers)", seconds.max() ?? .nan, "s", goal: .atMost(3)),
        ]
    }

    /// From the start of a new device until the other one shows it as connected.
    private func secondsToMeet(_ node: RunningNode, discovery: String = "off", peer: String? = nil) throws -> Double {
        let home = try subject.home("newcomer")
        let time = Stopwatch()
        let newcomer = try RunningNode(home, discovery: discovery, peer: peer)
        defer { newcomer.stop() }
        try node.wait(toBeConnected: true)
        let seconds = time.seconds
        newcomer.stop()
        try node.wait(toBeConnected: false)
        return seconds
    }
}
