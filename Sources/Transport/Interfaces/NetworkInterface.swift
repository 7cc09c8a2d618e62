package import NodeCore

/// A network interface of this machine as it is now, with the addresses that beacons use.
package struct NetworkInterface: Hashable, Sendable {
    /// The kernel's interface flags (netdevice(7)).
    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let up = Flags(rawValue: 1)
        package static let running = Flags(rawValue: 2)
        package static let loopback = Flags(rawValue: 4)
        package static let pointToPoint = Flags(rawValue: 8)
        package static let broadcast = Flags(rawValue: 16)
        package static let multicast = Flags(rawValue: 32)
    }

    /// An IPv4 address of the interface; ports are 0.
    package struct IPv4: Hashable, Sendable {
        package let address: SocketAddress
        /// The broadcast address of the net, if the interface supports broadcasts.
        package let broadcast: SocketAddress?
    }

    /// The kernel's index. Stable while the interface exists; a new interface does not get a used number soon.
    package let index: UInt32
    package let name: String
    package let flags: Flags
    /// The IPv4 addresses in the kernel's order.
    package let ipv4: [IPv4]
    /// Link-local addresses, their scope being this interface; port 0.
    package let ipv6LinkLocal: [SocketAddress]

    package init(index: UInt32, name: String, flags: Flags, ipv4: [IPv4], ipv6LinkLocal: [SocketAddress]) {
        self.index = index
        self.name = name
        self.flags = flags
        self.ipv4 = ipv4
        self.ipv6LinkLocal = ipv6LinkLocal
    }

    package var isLoopback: Bool { flags.contains(.loopback) }

    /// Up and running, so it can carry traffic.
    package var isUp: Bool { flags.isSuperset(of: [.up, .running]) }

    /// Whether beacons use it by default: a kind of network that other people's devices are on, and not one that
    /// software created.
    package var isUsable: Bool {
        isUp && !isLoopback && !flags.contains(.pointToPoint) && !flags.isDisjoint(with: [.broadcast, .multicast])
            && !Self.virtualPrefixes.contains { name.hasPrefix($0) }
    }

    /// Our addresses to send beacons from: each IPv4 address and the IPv6 link-local ones. On loopback only IPv4, since
    /// Linux has no link-local address there.
    package var beaconAddresses: [SocketAddress] {
        ipv4.map(\.address) + (isLoopback ? [] : ipv6LinkLocal)
    }

    /// Prefixes of interfaces of containers, virtual machines and tunnels.
    private static let virtualPrefixes = ["docker", "veth", "br-", "virbr", "tun", "tap", "wg"]

    /// The interfaces to send beacons on. `names` given by the user replace the default choice, as far as they are up;
    /// loopback only if requested.
    package static func forBeacons(
        among all: [NetworkInterface], named names: [String] = [], loopback: Bool = false
    ) -> [NetworkInterface] {
        let chosen = all.filter { interface in
            names.isEmpty
                ? interface.isUsable || (loopback && interface.isLoopback && interface.isUp)
                : names.contains(interface.name) && interface.isUp
        }
        return Array(chosen.prefix(Limits.beaconInterfaces))
    }
}
