import CLinuxShim
import Glibc
package import NodeCore

/// Sends and receives beacons on chosen interfaces: IPv4 multicast and broadcast, IPv6 link-local multicast. It moves
/// and counts bytes; the owner decides when to send and what they mean.
package final class BeaconPort {
    private struct Key: Hashable {
        let interfaceIndex: UInt32
        let way: BeaconWay
    }

    package typealias Handler = (_ datagram: BeaconDatagram, _ now: MonotonicTime) -> Void

    /// UDP port, the same for all nodes of a network.
    package let port: UInt16
    /// Called on the loop's thread for each datagram from others.
    package var handler: Handler = { _, _ in }
    /// The interfaces on which beacons are sent and received.
    package private(set) var interfaces: [NetworkInterface] = []
    /// Datagrams dropped because they were too long or came from an interface we do not use.
    package private(set) var dropped: UInt64 = 0
    /// The reason why IPv6 is unavailable, if it is.
    package private(set) var ipv6Error: SystemError?

    private let loop: EventLoop
    private let ipv4: DatagramSocket
    private let ipv6: DatagramSocket?
    private var registrations: [EventLoop.Registration] = []
    private var counters: [Key: BeaconCounters] = [:]
    /// The last datagrams sent, to recognise them when they come back.
    private var sent: [(bytes: [UInt8], source: SocketAddress)] = []
    private var nextSent = 0

    /// Opens the sockets; the loop then calls the handler with datagrams. Throws if not even IPv4 is available.
    package init(
        interfaces: [NetworkInterface], port: UInt16 = Limits.beaconPort, on loop: EventLoop
    ) throws(SystemError) {
        self.port = port
        self.loop = loop
        ipv4 = try DatagramSocket(group: SocketAddress(ipv4: Limits.beaconGroupIPv4, port: port))
        do throws(SystemError) {
            ipv6 = try DatagramSocket(group: SocketAddress(ipv6: Limits.beaconGroupIPv6, port: port))
        } catch {
            ipv6 = nil
            ipv6Error = error
        }
        for socket in [ipv4, ipv6].compactMap(\.self) {
            registrations.append(
                try loop.register(socket.descriptor, interest: .readable, pace: .shared) { [weak self] _, now in
                    self?.receive(socket, now)
                })
        }
        setInterfaces(interfaces)
    }

    deinit {
        close()
    }

    package func close() {
        for registration in registrations { loop.deregister(registration) }
        registrations = []
    }

    /// Replaces the interfaces. Counters of removed interfaces stay readable.
    package func setInterfaces(_ list: [NetworkInterface]) {
        let present = Set(list.map(\.index))
        for interface in interfaces where !present.contains(interface.index) {
            ipv4.leave(interface.index)
            ipv6?.leave(interface.index)
        }
        interfaces = list
        for interface in list {
            if !interface.ipv4.isEmpty { join(ipv4, interface.index, .multicastIPv4) }
            if let ipv6, !interface.isLoopback, !interface.ipv6LinkLocal.isEmpty {
                join(ipv6, interface.index, .multicastIPv6)
            }
        }
    }

    /// Sends to everybody on the interface's link, from one of its `beaconAddresses`, by every way of that family: IPv4
    /// multicast and broadcast, or IPv6 multicast. Returns for each way whether the datagram was sent.
    package func send(
        _ datagram: [UInt8], from source: SocketAddress, on interfaceIndex: UInt32
    ) -> [BeaconOutcome] {
        guard let interface = interfaces.first(where: { $0.index == interfaceIndex }) else { return [] }
        remember(datagram, source)
        switch source.family {
        case .ipv4:
            var outcomes = [
                attempt(.multicastIPv4, interfaceIndex) { () throws(SystemError) in
                    try ipv4.sendToGroup(datagram, from: source, on: interfaceIndex)
                }
            ]
            let own = interface.ipv4.first { $0.address.with(port: 0) == source.with(port: 0) }
            if let broadcast = own?.broadcast {
                outcomes.append(
                    attempt(.broadcastIPv4, interfaceIndex) { () throws(SystemError) in
                        try ipv4.send(
                            datagram, to: broadcast.with(port: port), from: source, on: interfaceIndex)
                    })
            }
            return outcomes
        case .ipv6:
            guard let ipv6 else { return [BeaconOutcome(way: .multicastIPv6, error: ipv6Error)] }
            return [
                attempt(.multicastIPv6, interfaceIndex) { () throws(SystemError) in
                    try ipv6.sendToGroup(datagram, from: source, on: interfaceIndex)
                }
            ]
        }
    }

    /// The counters of one way on one interface.
    package func counters(_ way: BeaconWay, on interfaceIndex: UInt32) -> BeaconCounters {
        counters[Key(interfaceIndex: interfaceIndex, way: way), default: BeaconCounters()]
    }

    private func attempt(
        _ way: BeaconWay, _ interfaceIndex: UInt32, _ body: () throws(SystemError) -> Void
    ) -> BeaconOutcome {
        let key = Key(interfaceIndex: interfaceIndex, way: way)
        do throws(SystemError) {
            try body()
            counters[key, default: BeaconCounters()].sent += 1
            return BeaconOutcome(way: way, error: nil)
        } catch {
            counters[key, default: BeaconCounters()].failed += 1
            counters[key, default: BeaconCounters()].lastError = error
            return BeaconOutcome(way: way, error: error)
        }
    }

    private func join(_ socket: DatagramSocket, _ interfaceIndex: UInt32, _ way: BeaconWay) {
        do throws(SystemError) {
            try socket.join(interfaceIndex)
        } catch {
            counters[Key(interfaceIndex: interfaceIndex, way: way), default: BeaconCounters()].lastError = error
        }
    }

    private func remember(_ datagram: [UInt8], _ source: SocketAddress) {
        let entry = (bytes: datagram, source: source.with(port: port))
        if sent.count < Limits.beaconsRemembered {
            sent.append(entry)
        } else {
            sent[nextSent] = entry
            nextSent = (nextSent + 1) % Limits.beaconsRemembered
        }
    }

    private func receive(_ socket: DatagramSocket, _ now: MonotonicTime) {
        for _ in 0..<Limits.beaconBatchesPerTurn where !registrations.isEmpty {
            // Receiving also clears a pending error of the socket.
            let count = (try? socket.receive { take($0, now) }) ?? 0
            guard count == Limits.beaconsAtOnce else { return }
        }
    }

    private func take(_ arrival: DatagramSocket.Arrival, _ now: MonotonicTime) {
        guard !arrival.bytes.isEmpty,
            let interface = interfaces.first(where: { $0.index == arrival.interfaceIndex })
        else {
            dropped += 1
            return
        }
        let way = Self.way(arrival.destination, interface)
        let key = Key(interfaceIndex: interface.index, way: way)
        if sent.contains(where: { $0.source == arrival.source && $0.bytes == arrival.bytes }) {
            counters[key, default: BeaconCounters()].ownReturned += 1
            return
        }
        counters[key, default: BeaconCounters()].received += 1
        let datagram = BeaconDatagram(
            bytes: arrival.bytes, source: arrival.source, interfaceIndex: interface.index, way: way)
        handler(datagram, now)
    }

    private static func way(_ destination: SocketAddress?, _ interface: NetworkInterface) -> BeaconWay {
        guard let destination else { return .unicast }
        guard let ipv4 = destination.ipv4 else {
            return destination.hostBytes.first == 0xFF ? .multicastIPv6 : .unicast
        }
        if ipv4 >> 28 == 0xE { return .multicastIPv4 }
        return interface.ipv4.contains { $0.broadcast?.ipv4 == ipv4 } ? .broadcastIPv4 : .unicast
    }
}

/// How a beacon travels.
package enum BeaconWay: Int, CaseIterable, Comparable, Sendable {
    case multicastIPv4
    case broadcastIPv4
    case multicastIPv6
    /// Not sent, but taken.
    case unicast

    package static func < (left: BeaconWay, right: BeaconWay) -> Bool { left.rawValue < right.rawValue }
}

/// A datagram that arrived on one of the interfaces used for beacons.
package struct BeaconDatagram: Hashable, Sendable {
    /// At most `Limits.beaconBytes`.
    package let bytes: [UInt8]
    package let source: SocketAddress
    package let interfaceIndex: UInt32
    package let way: BeaconWay
}

/// The result of sending one datagram one way.
package struct BeaconOutcome: Hashable, Sendable {
    package let way: BeaconWay
    /// Nil if it was sent.
    package let error: SystemError?
}

/// Counters of one way of sending on one interface. If multicasts leave and none returns, something filters them.
package struct BeaconCounters: Hashable, Sendable {
    /// Datagrams the kernel accepted.
    package internal(set) var sent: UInt64 = 0
    /// Datagrams the kernel refused, and the reason for the last one.
    package internal(set) var failed: UInt64 = 0
    package internal(set) var lastError: SystemError?
    /// Datagrams received from others.
    package internal(set) var received: UInt64 = 0
    /// Our own datagrams that came back: the group or broadcast address works here.
    package internal(set) var ownReturned: UInt64 = 0
}
