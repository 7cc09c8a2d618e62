import CTrials
import Glibc
import NodeCore
import NodeDriver
import ProcessHarness
import Testing
import Transport

/// A separate network made by a stranger: a switch in the stranger's namespace, with a cable to each node, whose
/// namespace it enters. The stranger has 64 addresses. Everything vanishes with the thread and the nodes.
final class FloodedLAN: Sendable {
    enum Flood: CaseIterable {
        case silentConnections, garbageHandshakes, datagrams
    }

    private struct State {
        var isReady = false
        var isOver = false
        var failure: String?
        var done = 0
        var recorded: [UInt8]?
    }

    private static let addresses = (100..<164).map { "10.79.0.\($0)" }
    static let target = "10.79.0.1"
    private let state = Lock(State())

    /// Plugs the nodes in and begins to flood the first one, for at most as long as tests wait.
    init(_ nodes: [Int32], flood: Flood, port: UInt16) {
        var thread = pthread_t()
        let body = Unmanaged.passRetained(
            Body { [self] in
                do {
                    try make(nodes)
                    state.withLock { $0.isReady = true }
                    try run(flood, port: port)
                } catch {
                    state.withLock { $0.failure = "\(error)" }
                }
            })
        pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, body.toOpaque())
        pthread_detach(thread)
    }

    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// The number of connections, handshakes or datagrams so far; throws the reason if there are no more.
    var done: Int {
        get throws {
            let state = state.withLock { $0 }
            try #require(state.failure == nil)
            return state.done
        }
    }

    /// Whether a beacon was heard, which is then sent repeatedly.
    var hasRecorded: Bool { state.withLock { $0.recorded != nil } }

    func end() { state.withLock { $0.isOver = true } }

    // MARK: The network

    private func make(_ nodes: [Int32]) throws {
        try #require(kachat_new_network_namespace() == 0, "unshare: \(errno)")
        try ip(["link", "add", "br0", "type", "bridge", "mcast_snooping", "0"])
        for link in ["lo", "br0"] { try ip(["link", "set", link, "up"]) }
        for address in Self.addresses { try ip(["addr", "add", address + "/24", "dev", "br0"]) }
        for (number, node) in nodes.enumerated() {
            let port = "port\(number)"
            try ip(["link", "add", port, "type", "veth", "peer", "name", "lan0", "netns", "\(node)"])
            try ip(["link", "set", port, "master", "br0", "up"])
            let inside = ["-n", "-t", "\(node)", "ip"]
            for words in [
                ["link", "set", "lo", "up"], ["addr", "add", "10.79.0.\(number + 1)/24", "dev", "lan0"],
                ["link", "set", "lan0", "up"],
            ] {
                let made = try Command("nsenter", inside + words).run()
                try #require(made.status.isSuccess, "\(words): \(made.errorOutput)")
            }
        }
    }

    private func ip(_ words: [String]) throws {
        let made = try Command("ip", words).run()
        try #require(made.status.isSuccess, "\(words): \(made.errorOutput)")
    }

    // MARK: Floods

    private func run(_ flood: Flood, port: UInt16) throws {
        switch flood {
        case .silentConnections: crowd(port)
        case .garbageHandshakes: knock(port)
        case .datagrams: try spray()
        }
    }

    /// Repeats until it is over, but not for ever if nobody ends it.
    private func repeating(_ body: (_ address: String) throws -> Void) rethrows {
        let deadline = Deadline(after: Deadline.patience * 2)
        var number = 0
        while !state.withLock({ $0.isOver }), !deadline.hasPassed {
            try body(Self.addresses[number % Self.addresses.count])
            number += 1
        }
    }

    /// Half of the connections say nothing, the others a byte now and then. Closed ones are opened again.
    private func crowd(_ port: UInt16) {
        var probes: [TCPProbe?] = Array(repeating: nil, count: 8 * Self.addresses.count)
        var index = 0
        repeating { _ in
            index = (index + 1) % probes.count
            if probes[index]?.isClosed(within: .zero) ?? true {
                let source = Self.addresses[index % Self.addresses.count]
                probes[index] = try? TCPProbe(host: Self.target, port: port, from: source)
                state.withLock { $0.done += 1 }
            }
            if index % 2 == 0 { _ = probes[index]?.send([0], within: .zero) }
            if index % 16 == 0 { usleep(1_000) }
        }
    }

    private func knock(_ port: UInt16) {
        var random = SystemRandom()
        repeating { address in
            guard let probe = try? TCPProbe(host: Self.target, port: port, from: address) else { return }
            guard probe.receive(upTo: 32, within: .seconds(1)).count == 32 else { return }
            probe.send(random.bytes(56))
            state.withLock { $0.done += 1 }
        }
    }

    /// Sends noise, and a beacon of the first node repeatedly.
    private func spray() throws {
        let loop = try EventLoop()
        let bridge = try NetworkInterface.list().filter { $0.name == "br0" }
        let index = try #require(bridge.first).index
        let port = try BeaconPort(interfaces: bridge, on: loop)
        port.handler = { [state] datagram, _ in
            if datagram.source.hostText == Self.target { state.withLock { $0.recorded = datagram.bytes } }
        }
        var random = SystemRandom()
        try repeating { address in
            try loop.turn(limit: .zero)
            let source = try #require(SocketAddress("\(address):0"))
            for datagram in [random.bytes(91), state.withLock { $0.recorded } ?? random.bytes(283)] {
                for outcome in port.send(datagram, from: source, on: index) where outcome.error == nil {
                    state.withLock { $0.done += 1 }
                }
            }
            usleep(200)
        }
    }
}
