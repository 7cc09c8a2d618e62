package import NodeCore
import Transport

/// Addresses in an invitation, for a joiner who hears no member's beacon.
extension NodeNetwork {
    /// At most one for IPv4 and one for IPv6: a token has no room for more.
    package var joinHints: [SocketAddress] {
        var hints: [SocketAddress] = []
        for listener in listeners.open {
            let own = listener.address
            guard own.hostBytes.allSatisfy({ $0 == 0 }) else {
                hints.append(own)
                continue
            }
            if let address = discovery.addresses.first(where: { $0.family == own.family && !$0.isLinkLocal }) {
                hints.append(address.with(port: own.port))
            }
        }
        let chosen = [hints.first { $0.family == .ipv4 }, hints.first { $0.family == .ipv6 && !$0.isLinkLocal }]
        return chosen.compactMap(\.self)
    }
}
