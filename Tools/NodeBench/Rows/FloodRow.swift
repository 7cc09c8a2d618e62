import Glibc
import JSONLines
import NodeCore
import ProcessHarness
import Transport

/// What strangers can cost a node that serves its owner meanwhile.
struct FloodRow {
    private static let perSecond = 5_000
    private static let seconds = 8
    let subject: Subject

    func measure() throws -> [Figure] { try knocks() + crowd() + datagrams() }

    /// Garbage handshakes, and what the owner notices of them.
    private func knocks() throws -> [Figure] {
        let node = try RunningNode(try subject.home("knocked"), ["--discovery", "off"])
        defer { node.stop() }
        let idle = try statusMilliseconds(node, for: .seconds(2))
        // One process alone waits for each answer: it would not get that far.
        let strangers = try (0..<4).map { _ in
            try Subject.worker("knock", ["--port", node.port, "--pushes", "\(Self.perSecond / 4)"])
        }
        defer { for stranger in strangers { stranger.kill() } }
        for stranger in strangers { _ = try stranger.numbers("knocks", within: 30) }
        let clock = SystemClock()
        let (before, start) = (node.userSeconds, clock.now())
        let busy = try statusMilliseconds(node, for: .seconds(Self.seconds))
        let elapsed = Double((clock.now() - start).heldNanoseconds) / 1e9
        let used = node.userSeconds - before
        let rate = try strangers.map { stranger in
            let numbers = try stranger.last("knocks")
            return Double(numbers[0]) / (Double(numbers[1]) / 1e9)
        }.reduce(0, +)
        // The requests cost the same without strangers.
        return [
            Figure(row: "flood", what: "garbage handshakes", value: rate, unit: "/s"),
            Figure(
                row: "flood", what: "beside them: own code", value: used / elapsed * 100, unit: "% of a core",
                goal: .atMost(15)),
            Figure(
                row: "flood", what: "beside them: GET /v1/status, p99", value: busy.percentile(0.99), unit: "ms",
                limit: idle.percentile(0.99), goal: .atMost(50)),
        ]
    }

    /// A hundred requests a second, one after the other.
    private func statusMilliseconds(_ node: RunningNode, for duration: Duration) throws -> [Double] {
        let probe = try TCPProbe(port: node.api)
        let request = try node.head("GET", "/v1/status")
        probe.send(request)
        _ = probe.receive(within: .milliseconds(300))
        let clock = SystemClock()
        let end = clock.now() + duration
        var times: [Double] = []
        while clock.now() < end {
            let before = clock.now()
            probe.send(request)
            guard !probe.receive(upTo: 1, within: .seconds(5)).isEmpty else { throw BenchError("no answer") }
            times.append(Double((clock.now() - before).heldNanoseconds) / 1e6)
            _ = probe.receive(within: .milliseconds(10))
        }
        return times
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

    /// Datagrams that are no beacons, and a new device that is found by one.
    private func datagrams() throws -> [Figure] {
        let node = try RunningNode(try subject.home("sprayed"), ["--discovery", "lo"])
        defer { node.stop() }
        let resident = node.residentKiB
        let strangers = try Subject.worker("spray", ["--port", "\(Transport.Limits.beaconPort)"])
        defer { strangers.kill() }
        _ = try strangers.numbers("datagrams", within: 30)
        let seconds = try secondsToMeet(node, ["--discovery", "lo"])
        let numbers = try strangers.last("datagrams")
        return [
            Figure(
                row: "flood", what: "datagrams", value: Double(numbers[0]) / (Double(numbers[1]) / 1e9), unit: "/s"),
            Figure(
                row: "flood", what: "beside them: memory gained", value: (node.residentKiB - resident) / 1_024,
                unit: "MB", goal: .atMost(4)),
            Figure(
                row: "flood", what: "beside them: a new device is found and connected", value: seconds, unit: "s",
                goal: .atMost(3)),
        ]
    }

    /// From the start of a new device until the other one shows it as connected.
    private func secondsToMeet(_ node: RunningNode, _ arguments: [String]) throws -> Double {
        let clock = SystemClock()
        let start = clock.now()
        let newcomer = try RunningNode(try subject.home("newcomer"), arguments)
        defer { newcomer.stop() }
        let probe = try TCPProbe(port: node.api)
        let request = try node.head("GET", "/v1/status")
        while clock.now() - start < .seconds(60) {
            probe.send(request)
            let answer = String(decoding: probe.receive(within: .milliseconds(20)), as: UTF8.self)
            if answer.contains("\"state\":\"connected\"") {
                return Double((clock.now() - start).heldNanoseconds) / 1e9
            }
        }
        throw BenchError("the new device was not connected within a minute")
    }
}
