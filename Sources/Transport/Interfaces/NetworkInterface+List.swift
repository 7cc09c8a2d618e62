import CLinuxShim
import Glibc
package import NodeCore

extension NetworkInterface {
    /// All interfaces of the machine, by index (getifaddrs(3)).
    package static func list() throws(SystemError) -> [NetworkInterface] {
        var first: UnsafeMutablePointer<ifaddrs>?
        try System.call("getifaddrs") { getifaddrs(&first) }
        defer { freeifaddrs(first) }
        var found: [String: Draft] = [:]
        var next = first
        while let entry = next {
            let name = String(cString: entry.pointee.ifa_name)
            found[name, default: Draft()].add(entry)
            next = entry.pointee.ifa_next
        }
        return found.compactMap { name, draft in draft.interface(name: name) }.sorted { $0.index < $1.index }
    }

    /// Collects the entries of one interface: one for each address, and one for the hardware.
    private struct Draft {
        var flags: Flags = []
        var ipv4: [IPv4] = []
        var ipv6: [SocketAddress] = []

        mutating func add(_ entry: UnsafeMutablePointer<ifaddrs>) {
            flags = Flags(systemFlags: entry.pointee.ifa_flags)
            guard let pointer = entry.pointee.ifa_addr, let address = SocketAddress(UnsafeRawPointer(pointer)) else {
                return
            }
            switch address.family {
            case .ipv4: ipv4.append(IPv4(address: address, broadcast: broadcast(entry)))
            case .ipv6: if address.isLinkLocal { ipv6.append(address) }
            }
        }

        /// Loopback has no broadcast address, yet the last address of its net reaches all listeners of the machine.
        private func broadcast(_ entry: UnsafeMutablePointer<ifaddrs>) -> SocketAddress? {
            if flags.contains(.loopback) { return SocketAddress(ipv4: 0x7FFF_FFFF, port: 0) }
            guard flags.contains(.broadcast), let pointer = kachat_broadcast_address(entry) else { return nil }
            return SocketAddress(UnsafeRawPointer(pointer))
        }

        /// Nil if the interface went away in the meantime.
        func interface(name: String) -> NetworkInterface? {
            let index = if_nametoindex(name)
            guard index != 0 else { return nil }
            return NetworkInterface(index: index, name: name, flags: flags, ipv4: ipv4, ipv6LinkLocal: ipv6)
        }
    }
}

extension NetworkInterface.Flags {
    fileprivate init(systemFlags: UInt32) {
        let pairs: [(Int, Self)] = [
            (IFF_UP, .up), (IFF_RUNNING, .running),
            (IFF_LOOPBACK, .loopback), (IFF_POINTOPOINT, .pointToPoint),
            (IFF_BROADCAST, .broadcast), (IFF_MULTICAST, .multicast),
        ]
        self = []
        for (bit, flag) in pairs where Int(systemFlags) & bit != 0 { insert(flag) }
    }
}

/// Detects changes of interfaces or their addresses by listing them every few seconds. A listing costs some 50 µs and
/// works the same on every system.
package struct InterfaceMonitor: Sendable {
    /// The interfaces as last listed.
    package private(set) var interfaces: [NetworkInterface] = []
    /// When to list them next.
    package private(set) var deadline: MonotonicTime

    /// The first listing is due at once.
    package init(now: MonotonicTime) {
        deadline = now
    }

    /// Lists the interfaces if that is due. Nil if nothing has changed.
    package mutating func poll(
        now: MonotonicTime, list: () throws(SystemError) -> [NetworkInterface] = NetworkInterface.list
    ) throws(SystemError) -> [NetworkInterface]? {
        guard now >= deadline else { return nil }
        deadline = now + Limits.interfacePollInterval
        let present = try list()
        guard present != interfaces else { return nil }
        interfaces = present
        return present
    }
}
