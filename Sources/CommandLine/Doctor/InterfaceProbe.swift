import Commands
import Node
import NodeCore
import NodeModel
import Transport

/// Broadcasts a datagram on each interface used for beacons and checks whether it comes back. If it leaves and does not
/// return, a filter is in the way. To other nodes the datagram looks like a stranger's beacon.
struct InterfaceProbe {
    let mode: DiscoveryMode
    let clock: any Clock

    func checks() -> [Check] {
        guard mode != .off else { return [Check("discovery", .ok, "off: only devices named with --peer are reached")] }
        do throws(Transport.SystemError) {
            let all = try NetworkInterface.list()
            let chosen = mode.choose(among: all)
            let absent = mode.missing(among: chosen).map { Self.absent($0, among: all) }
            guard !chosen.isEmpty || !absent.isEmpty else {
                return [
                    Check(
                        "discovery", .warning, "there is no usable network interface",
                        advice: "connect this machine to a network, or name devices with --peer HOST:PORT")
                ]
            }
            return absent + (chosen.isEmpty ? [] : try probe(chosen))
        } catch {
            return [
                Check(
                    "discovery", .failure,
                    "the beacon port (UDP \(Transport.Limits.beaconPort)) is unavailable: "
                        + "\(error)", advice: "end the program that uses it, or name devices with --peer HOST:PORT")
            ]
        }
    }

    /// A named interface that beacons cannot use.
    static func absent(_ name: String, among all: [NetworkInterface]) -> Check {
        Check(
            "discovery", .warning, DiscoveryMode.absence(of: name, among: all),
            advice: "connect it, or name another with --discovery or `network.discovery`",
            details: Check.Details { $0.interface = name })
    }

    private func probe(_ chosen: [NetworkInterface]) throws(Transport.SystemError) -> [Check] {
        let loop = try EventLoop(clock: clock)
        let port = try BeaconPort(interfaces: chosen, on: loop)
        defer { port.close() }
        var random = SystemRandom()
        var ways: [UInt32: [BeaconOutcome]] = [:]
        for interface in chosen {
            for source in interface.beaconAddresses {
                var datagram = [UInt8](repeating: 0, count: Limits.probeBytes)
                for index in datagram.indices { datagram[index] = UInt8(truncatingIfNeeded: random.next()) }
                ways[interface.index, default: []] += port.send(datagram, from: source, on: interface.index)
            }
        }
        let until = clock.now() + Commands.Limits.doctorPatience
        let left = ways.flatMap { index, outcomes in outcomes.filter { $0.error == nil }.map { ($0.way, index) } }
        // Even past the deadline, read what has arrived: a busy machine may have paused this process.
        repeat {
            try loop.turn(limit: .milliseconds(20))
        } while left.contains(where: { port.counters($0, on: $1).ownReturned == 0 }) && clock.now() < until
        return chosen.map { interface in
            Self.judge(
                interface.name,
                (ways[interface.index] ?? []).map { outcome in
                    Way(
                        way: outcome.way, error: outcome.error.map { "\($0)" },
                        hasReturned: port.counters(outcome.way, on: interface.index).ownReturned > 0)
                })
        }
    }

    /// The outcome of a datagram sent one way.
    struct Way: Equatable {
        let way: BeaconWay
        let error: String?
        let hasReturned: Bool

        fileprivate var word: String {
            switch way {
            case .multicastIPv4: "multicast"
            case .broadcastIPv4: "broadcast"
            case .multicastIPv6: "multicast6"
            case .unicast: "unicast"
            }
        }

        fileprivate var state: String { error ?? (hasReturned ? "returns" : "leaves and does not return") }
    }

    /// One working way is enough for devices to be found. If all fail, there is a filter or no network.
    static func judge(_ name: String, _ ways: [Way]) -> Check {
        let words = ways.map { "\($0.word) \($0.state)" }
        let text = "\(name): " + (words.isEmpty ? "has no address" : words.joined(separator: ", "))
        let details = Check.Details {
            $0.interface = name
            $0.ways = Dictionary(ways.map { ($0.word, $0.state) }) { first, _ in first }
        }
        if !ways.isEmpty, ways.allSatisfy(\.hasReturned) { return Check("discovery", .ok, text, details: details) }
        let advice =
            "allow UDP port \(Transport.Limits.beaconPort) in the firewall, or name devices with --peer HOST:PORT"
        let works = ways.contains(where: \.hasReturned)
        return Check("discovery", works ? .warning : .failure, text, advice: advice, details: details)
    }
}
