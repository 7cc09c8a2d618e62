package import NodeCore

/// A network interface of this machine as it stands at the moment, with the addresses that beacons use.
package struct NetworkInterface: Hashable, Sendable {
    /// What the kernel says of it (netdevice(7)).
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
        /// Where all hosts of the same net listen, if the interface has broadcasts.
        package let broadcast: SocketAddress?

        package init(address: SocketAddress, broadcast: SocketAddress?) {
            self.address = address
            self.broadcast = broadcast
        }
    }

    /// Names a path out of the machine while the interface exists; a new one never gets a used number soon.
    package let index: UInt32
    package let name: String
    package let flags: Flags
    /// In the kernel's order.
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

    /// Ready to carry anything.
    package var isUp: Bool { flags.isSuperset(of: [.up, .running]) }

    /// Whether beacons go out on it unless the user names others: a network of the kind that other people's devices
    /// are on, and not one that software made.
    package var isUsable: Bool {
        isUp && !isLoopback && !flags.contains(.pointToPoint) && !flags.isDisjoint(with: [.broadcast, .multicast])
            && !Self.virtualPrefixes.contains { name.hasPrefix($0) }
    }

    /// Own addresses to send beacons from: each IPv4 address, and the IPv6 link-local ones. On loopback IPv4 only,
    /// since Linux has no link-local address there.
    package var beaconAddresses: [SocketAddress] {
        ipv4.map(\.address) + (isLoopback ? [] : ipv6LinkLocal)
    }

    /// Containers', virtual machines' and tunnels' interfaces.
    private static let virtualPrefixes = ["docker", "veth", "br-", "virbr", "tun", "tap", "wg"]

    /// The interfaces that beacons go out on. `names` given by the user override what is usable by kind, as far as they
    /// are up; loopback only when asked for.
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
