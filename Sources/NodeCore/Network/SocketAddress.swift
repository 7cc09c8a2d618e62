/// A numeric IPv4 or IPv6 address with a port: a pure value, no names and no look-ups.
///
/// Ordered by family, host, scope, port.
package struct SocketAddress: Hashable, Comparable, Sendable {
    package enum Family: UInt8, Hashable, Comparable, Sendable {
        case ipv4 = 4
        case ipv6 = 6

        package static func < (left: Family, right: Family) -> Bool { left.rawValue < right.rawValue }
    }

    package let family: Family
    /// IPv6: the host's 16 bytes. IPv4: its four bytes are the lowest of `w1`, the rest is zero.
    private let host: Bytes16
    /// The interface's index for link-local IPv6 addresses, otherwise 0.
    package let scopeID: UInt32
    package var port: UInt16

    /// An address of 4 (IPv4) or 16 (IPv6) host bytes; nil for any other number. IPv4 has no scope.
    package init?(hostBytes: [UInt8], scopeID: UInt32 = 0, port: UInt16) {
        switch hostBytes.count {
        case 4: self.init(ipv4: hostBytes.reduce(0) { $0 << 8 | UInt32($1) }, port: port)
        case 16: self.init(ipv6: Bytes16(bytes: hostBytes) ?? .zero, scopeID: scopeID, port: port)
        default: return nil
        }
    }

    /// An IPv4 address as a number, 127.0.0.1 being 0x7F000001.
    package init(ipv4: UInt32, port: UInt16) {
        family = .ipv4
        host = Bytes16(0, UInt64(ipv4))
        scopeID = 0
        self.port = port
    }

    package init(ipv6: Bytes16, scopeID: UInt32 = 0, port: UInt16) {
        family = .ipv6
        host = ipv6
        self.scopeID = scopeID
        self.port = port
    }

    /// The host's 4 or 16 bytes in network order.
    package var hostBytes: [UInt8] {
        switch family {
        case .ipv4: [UInt8](bigEndianBytesOf: host.w1, count: 4)
        case .ipv6: host.bytes
        }
    }

    /// The host as a number; nil for IPv6.
    package var ipv4: UInt32? { family == .ipv4 ? UInt32(truncatingIfNeeded: host.w1) : nil }

    /// The host's 16 bytes; nil for IPv4.
    package var ipv6: Bytes16? { family == .ipv6 ? host : nil }

    /// The same host with another port.
    package func with(port: UInt16) -> SocketAddress {
        var copy = self
        copy.port = port
        return copy
    }

    /// Converts an IPv4-mapped IPv6 address (::ffff:a.b.c.d) to IPv4 and returns any other unchanged, so that a peer
    /// has one address whichever socket it came through.
    package var unmapped: SocketAddress {
        guard family == .ipv6, host.w0 == 0, host.w1 >> 32 == 0xFFFF else { return self }
        return SocketAddress(ipv4: UInt32(truncatingIfNeeded: host.w1), port: port)
    }

    /// 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        switch family {
        case .ipv4: host.w1 >> 24 == 127
        case .ipv6: host == Bytes16(0, 1)
        }
    }

    /// 169.254.0.0/16 or fe80::/10.
    package var isLinkLocal: Bool {
        switch family {
        case .ipv4: host.w1 >> 16 == 0xA9FE
        case .ipv6: host.w0 >> 54 == 0x3FA
        }
    }

    package static func < (left: SocketAddress, right: SocketAddress) -> Bool {
        (left.family, left.host, left.scopeID, left.port) < (right.family, right.host, right.scopeID, right.port)
    }
}
