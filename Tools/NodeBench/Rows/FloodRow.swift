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
        let node = try RunningNode(try subject.home("knocked"), ["--discovery", "off"])
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
        let rate = try strangers.map { stranger in
            let numbers = try stranger.last("knocks")
            return Double(numbers[0]) / (Double(numbers[1]) / 1e9)
        }.reduce(0, +)
        return [
            Figure(row: "flood", what: "garbage handshakes", value: rate, unit: "/s"),
            Figure(
                row: "flood", what: "beside them: own code", value: shares.user, unit: "% of a core",
                goal: .atMost(15)),
            Figure(row: "flood", what: "beside them: kernel", value: shares.system, unit: "% of a core"),
            Figure(
                row: "flood", what: "beside them: GET /v1/status, p99", value: busy.percentile(0.99), unit: "ms",
                limit: idle.percentile(0.99), goal: .atMost(50)),
        ]
    }

    /// The use of a process over some seconds, in percent of a core.
    private func cpuShares(_ times: () -> CPUTimes) -> (user: Double, system: Double) {
        let clock = SystemClock()
        let (before, start) = (times(), clock.now())
        usleep(UInt32(Self.seconds) * 1_000_000)
        let (after, elapsed) = (times(), Double((clock.now() - start).heldNanoseconds) / 1e9)
        return ((after.user - before.user) / elapsed * 100, (after.system - before.system) / elapsed * 100)
    }

    /// Silent and dripping connections from 64 addresses, and a new device.
    private func crowd() throws -> [Figure] {
        let node = try RunningNode(try subject.home("crowded"), ["--discovery", "off"])
        defer { node.stop() }
        let strangers = try Subject.worker("crowd", ["--port", node.port])
        defer { strangers.kill() }
        _ = try strangers.numbers("crowded", within: 30)
        let seconds = try secondsToMeet(node, ["--discovery", "off", "--peer", node.listen])
        return [
            Figure(
                row: "flood", what: "beside 64 silent addresses: a new device is connected", value: seconds, unit: "s",
                goal: .atMost(5))
        ]
    }

    /// Datagrams that are no beacons or copies of one, and new devices that are found by beacons among them.
    private func datagrams() throws -> [Figure] {
        let node = try RunningNode(try subject.home("sprayed"), ["--discovery", "lo"])
        defer { node.stop() }
        let resident = node.residentKiB
        let strangers = try Subject.worker("spray", ["--pushes", "\(Self.datagramsPerSecond)"])
        defer { strangers.kill() }
        _ = try strangers.numbers("datagrams", within: 30)
        let seconds = try (0..<Self.newcomers).map { _ in try secondsToMeet(node, ["--discovery", "lo"]) }
        _ = try strangers.numbers("recorded")
        let shares = cpuShares { node.times }
        let sender = cpuShares { strangers.times }
        let numbers = try strangers.last("datagrams")
        return [
            Figure(
                row: "flood", what: "datagrams", value: Double(numbers[0]) / (Double(numbers[1]) / 1e9), unit: "/s"),
            Figure(row: "flood", what: "their sender", value: sender.user + sender.system, unit: "% of a core"),
            Figure(row: "flood", what: "beside them: own code", value: shares.user, unit: "% of a core"),
            Figure(row: "flood", what: "beside them: kernel", value: shares.system, unit: "% of a core"),
            Figure(
                row: "flood", what: "beside them: memory gained", value: (node.residentKiB - resident) / 1_024,
                unit: "MB", goal: .atMost(4)),
            Figure(
                row: "flood", what: "beside them: a new device is found and connected", value: seconds.median,
                unit: "s", goal: .atMost(3)),
            Figure(
                row: "flood", what: "the slowest of \(Self.newcomers)", value: seconds.max() ?? .nan, unit: "s",
                goal: .atMost(3)),
        ]
    }

    /// From the start of a new device until the other one shows it as connected.
    private func secondsToMeet(_ node: RunningNode, _ arguments: [String]) throws -> Double {
        let home = try subject.home("newcomer")
        let clock = SystemClock()
        let start = clock.now()
        let newcomer = try RunningNode(home, arguments)
        defer { newcomer.stop() }
        try node.wait(toBeConnected: true)
        let seconds = Double((clock.now() - start).heldNanoseconds) / 1e9
        newcomer.stop()
        try node.wait(toBeConnected: false)
        return seconds
    }
}
