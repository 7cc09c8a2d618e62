import Glibc
import NodeCore
import ProcessHarness
import Testing

@testable import Transport

/// Real datagrams, on loopback and between network namespaces that a test makes for its own thread: none leaves the
/// machine.
@Suite(.timeLimit(.minutes(30))) struct BeaconPortTests {
    private static let loopbackHost = SocketAddress(ipv4: 0x7F00_0001, port: 0)

    private static func loopback() throws -> [NetworkInterface] {
        try NetworkInterface.list().filter(\.isLoopback)
    }

    /// Beacon ports are shared by design, so each test takes two of its own; another run of the tests on this machine
    /// most likely takes others.
    private static func port() -> UInt16 {
        lastPort.withLock {
            $0 += 2
            return $0
        }
    }

    private static let lastPort = Lock(UInt16.random(in: 20_000...32_000))

    /// Turns the loop until `hasCome`, which may take a while on a busy machine, and a moment longer, in which nothing
    /// else should come.
    private static func settle(_ loop: EventLoop, until hasCome: () -> Bool) throws {
        let deadline = Deadline(after: Deadline.patience)
        while !hasCome(), !deadline.hasPassed { try loop.turn(limit: .milliseconds(5)) }
        for _ in 0..<20 { try loop.turn(limit: .milliseconds(5)) }
    }

    @Test func nodesOfOneMachineHearEachOther() throws {
        let loop = try EventLoop()
        let port = Self.port()
        let ports = try (0..<3).map { _ in try BeaconPort(interfaces: Self.loopback(), port: port, on: loop) }
        var heard: [[BeaconDatagram]] = [[], [], []]
        for (index, port) in ports.enumerated() {
            port.handler = { datagram, _ in heard[index].append(datagram) }
        }
        let datagram = [UInt8](repeating: 0xA5, count: Limits.beaconBytes)
        let outcomes = ports[0].send(datagram, from: Self.loopbackHost, on: 1)
        #expect(
            outcomes == [
                BeaconOutcome(way: .multicastIPv4, error: nil), BeaconOutcome(way: .broadcastIPv4, error: nil),
            ])
        try Self.settle(loop) {
            heard[1...].allSatisfy { $0.count >= 2 } && ports[0].counters(.broadcastIPv4, on: 1).ownReturned > 0
        }
        #expect(heard[0].isEmpty)
        for listener in heard[1...] {
            #expect(listener.map(\.way).sorted() == [.multicastIPv4, .broadcastIPv4])
            #expect(listener.allSatisfy { $0.bytes == datagram && $0.source == Self.loopbackHost.with(port: port) })
            #expect(listener.allSatisfy { $0.interfaceIndex == 1 })
        }
        for way in [BeaconWay.multicastIPv4, .broadcastIPv4] {
            let own = ports[0].counters(way, on: 1)
            #expect(own.sent == 1 && own.ownReturned == 1 && own.received == 0 && own.failed == 0)
            let other = ports[1].counters(way, on: 1)
            #expect(other.sent == 0 && other.ownReturned == 0 && other.received == 1)
        }
    }

    /// Nodes send none, but incoming ones are taken.
    @Test func aUnicastIsTaken() throws {
        let loop = try EventLoop()
        let port = Self.port()
        let listener = try BeaconPort(interfaces: Self.loopback(), port: port, on: loop)
        var heard: [BeaconDatagram] = []
        listener.handler = { datagram, _ in heard.append(datagram) }
        let sender = try DatagramSocket(group: SocketAddress(ipv4: Limits.beaconGroupIPv4, port: port + 1))
        try sender.send([1, 2], to: Self.loopbackHost.with(port: port), from: Self.loopbackHost, on: 1)
        try Self.settle(loop) { !heard.isEmpty }
        #expect(heard.map(\.way) == [.unicast])
        #expect(heard.first?.source == Self.loopbackHost.with(port: port + 1))
    }

    /// There are more than one call takes from the kernel: all arrive, each with its own bytes.
    @Test func manyAtOnceAllArrive() throws {
        let loop = try EventLoop()
        let port = Self.port()
        let listener = try BeaconPort(interfaces: Self.loopback(), port: port, on: loop)
        var heard: [[UInt8]] = []
        listener.handler = { datagram, _ in if datagram.way == .multicastIPv4 { heard.append(datagram.bytes) } }
        let sender = try BeaconPort(interfaces: Self.loopback(), port: port, on: loop)
        let sent = (0..<150).map { [UInt8](repeating: UInt8($0), count: 1 + $0) }
        for datagram in sent { _ = sender.send(datagram, from: Self.loopbackHost, on: 1) }
        try Self.settle(loop) { heard.count >= sent.count }
        #expect(heard == sent)
    }

    @Test func aPortThatIsNotSharedIsRefused() throws {
        let port = Self.port()
        let other = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(other) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(other, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isBound)
        let loop = try EventLoop()
        #expect(throws: SystemError(code: EADDRINUSE, call: "bind")) {
            try BeaconPort(interfaces: Self.loopback(), port: port, on: loop)
        }
    }

    @Test func otherInterfacesAndLongDatagramsAreDropped() throws {
        let loop = try EventLoop()
        let port = Self.port()
        let deaf = try BeaconPort(interfaces: [], port: port, on: loop)
        deaf.handler = { _, _ in Issue.record("heard on an interface that is not configured") }
        let listener = try BeaconPort(interfaces: Self.loopback(), port: port, on: loop)
        listener.handler = { datagram, _ in Issue.record("heard \(datagram.bytes.count) bytes") }
        let sender = try BeaconPort(interfaces: Self.loopback(), port: port, on: loop)
        let tooLong = [UInt8](repeating: 1, count: Limits.beaconBytes + 1)
        _ = sender.send(tooLong, from: Self.loopbackHost, on: 1)
        #expect(deaf.send([1], from: Self.loopbackHost, on: 1).isEmpty)
        try Self.settle(loop) { deaf.dropped > 0 && listener.dropped > 1 }
        // The broadcast reaches the deaf port's socket; the multicast does not.
        #expect(deaf.dropped == 1)
        #expect(listener.dropped == 2)
    }

    @Test func interfacesMayComeAndGo() throws {
        let loop = try EventLoop()
        let port = Self.port()
        let sender = try BeaconPort(interfaces: Self.loopback(), port: port, on: loop)
        let listener = try BeaconPort(interfaces: [], port: port, on: loop)
        var heard = 0
        listener.handler = { datagram, _ in if datagram.way == .multicastIPv4 { heard += 1 } }
        for (interfaces, expected) in [(try Self.loopback(), 1), ([], 1), (try Self.loopback(), 2)] {
            listener.setInterfaces(interfaces)
            _ = sender.send([UInt8(expected)], from: Self.loopbackHost, on: 1)
            try Self.settle(loop) { heard >= expected }
            #expect(heard == expected)
        }
    }

    /// Two namespaces joined by a cable, each with IPv4 and link-local IPv6.
    @Test func twoMachinesHearEachOtherByAllWays() throws {
        try Namespaces.onOwnThread { cable in
            let loop = try EventLoop()
            let ports = try cable.ends.map { end in
                try end.enter()
                return try BeaconPort(interfaces: [end.beaconInterface()], on: loop)
            }
            var heard: [BeaconDatagram] = []
            ports[1].handler = { datagram, _ in heard.append(datagram) }
            let interface = ports[0].interfaces[0]
            #expect(interface.beaconAddresses.count == 2)
            for (number, address) in interface.beaconAddresses.enumerated() {
                for outcome in ports[0].send([UInt8(number)], from: address, on: interface.index) {
                    #expect(outcome.error == nil, "\(outcome)")
                }
            }
            try Self.settle(loop) {
                heard.count >= 3 && ports[0].counters(.multicastIPv6, on: interface.index).ownReturned > 0
            }
            #expect(heard.map(\.way).sorted() == [.multicastIPv4, .broadcastIPv4, .multicastIPv6])
            for datagram in heard {
                let isIPv4 = datagram.bytes == [0]
                #expect(datagram.source.hostBytes == interface.beaconAddresses[isIPv4 ? 0 : 1].hostBytes)
                #expect(datagram.interfaceIndex == ports[1].interfaces[0].index)
            }
            // This is IPv6 unicast, to the scope of the own interface.
            let remote = ports[1].interfaces[0].ipv6LinkLocal[0]
            let target = SocketAddress(
                hostBytes: remote.hostBytes, scopeID: interface.index, port: Limits.beaconPort)
            try cable.ends[0].enter()
            let sender = try DatagramSocket(
                group: SocketAddress(ipv6: Limits.beaconGroupIPv6, port: Limits.beaconPort))
            try sender.send([7], to: try #require(target), from: interface.ipv6LinkLocal[0], on: interface.index)
            heard = []
            try Self.settle(loop) { !heard.isEmpty }
            #expect(heard.map(\.way) == [.unicast])
            // A veth returns its own multicasts, but never its own broadcasts.
            #expect(ports[0].counters(.multicastIPv4, on: interface.index).ownReturned == 1)
            #expect(ports[0].counters(.multicastIPv6, on: interface.index).ownReturned == 1)
        }
    }

    /// A machine has a default route: datagrams for loopback stay there, and a host behind the gateway is only sought
    /// on the link.
    @Test func nothingFollowsTheDefaultRoute() throws {
        try Namespaces.onOwnThread { cable in
            let loop = try EventLoop()
            try cable.ends[1].enter()
            let listener = try BeaconPort(interfaces: [cable.ends[1].beaconInterface()], on: loop)
            listener.handler = { datagram, _ in Issue.record("\(datagram.way) left the machine") }
            try cable.ends[0].enter()
            let wired = try cable.ends[0].beaconInterface()
            try Namespaces.ip("route", "add", "default", "via", "10.77.0.2")
            let sender = try BeaconPort(interfaces: Self.loopback() + [wired], on: loop)
            #expect(sender.send([1], from: Self.loopbackHost, on: 1).allSatisfy { $0.error == nil })
            let beyond = SocketAddress(ipv4: 0xC633_6401, port: Limits.beaconPort)
            let socket = try DatagramSocket(
                group: SocketAddress(ipv4: Limits.beaconGroupIPv4, port: Limits.beaconPort))
            try? socket.send([1], to: beyond, from: Self.loopbackHost, on: 1)
            let own = try #require(wired.beaconAddresses.first)
            try? socket.send([1], to: beyond, from: own, on: wired.index)
            try Self.settle(loop) { sender.counters(.broadcastIPv4, on: 1).ownReturned > 0 }
            #expect(sender.counters(.multicastIPv4, on: 1).ownReturned == 1)
            #expect(sender.counters(.broadcastIPv4, on: 1).ownReturned == 1)
            #expect(listener.dropped == 0)
            let neighbours = try Namespaces.ip("neigh", "show", "dev", wired.name)
            #expect(neighbours.contains("198.51.100.1 "))
            #expect(!neighbours.contains("10.77.0.2 "))
        }
    }
}
