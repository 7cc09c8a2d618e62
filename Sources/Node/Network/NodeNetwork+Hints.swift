package import NodeCore
import Transport

/// Addresses that an invitation carries, for who hears no beacon of a member.
extension NodeNetwork {
    /// At most one of IPv4 and one of IPv6: a token has room for no more.
    package var joinHints: [SocketAddress] {
        var hints: [SocketAddress] = []
        for listener in listeners {
            let own = listener.address
            guard own.hostBytes.allSatisfy({ $0 == 0 }) else {
                hints.append(own)
                continue
            }
            let reachable = (beacons?.interfaces ?? []).flatMap(\.beaconAddresses)
            if let address = reachable.first(where: { $0.family == own.family && !$0.isLinkLocal }) {
                hints.append(address.with(port: own.port))
            }
        }
        let chosen = [hints.first { $0.family == .ipv4 }, hints.first { $0.family == .ipv6 && !$0.isLinkLocal }]
        return chosen.compactMap(\.self)
    }
}
