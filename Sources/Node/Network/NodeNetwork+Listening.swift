import NodeCore
import Transport

/// Addresses as users name them.
extension NodeNetwork {
    /// Listens at the given address, or on all interfaces: at the default port if it is free, otherwise at any.
    package func listen(on text: String?) throws(NodeError) {
        guard let text else { return try listenEverywhere() }
        guard let wanted = HostPort(text), let address = Self.resolve(wanted) else {
            throw NodeError(.failed, "--listen \(text): there is no such address")
        }
        do {
            try listen(on: address)
        } catch  where error.isAddressInUse {
            throw NodeError(.portInUse, "the port \(text) is in use: choose another with --listen HOST:PORT")
        } catch {
            throw NodeError(.failed, "cannot listen on \(text): \(error)")
        }
    }

    private func listenEverywhere() throws(NodeError) {
        let usual = Transport.Limits.beaconPort
        do {
            do {
                try listen(on: SocketAddress(ipv4: 0, port: usual))
            } catch  where error.isAddressInUse {
                try listen(on: SocketAddress(ipv4: 0, port: 0))
            }
        } catch {
            throw NodeError(.failed, "cannot listen: \(error)")
        }
        // IPv6 on the same port, since a beacon contains only one; a machine without IPv6 does without.
        let port = listeners.first?.address.port ?? usual
        try? listen(on: SocketAddress(ipv6: .zero, port: port))
    }

    /// Sets devices to look for at these `HOST:PORT`; the log reports unknown hosts.
    package func onStatic(names: [String]) {
        let found = names.prefix(Limits.staticPeers).compactMap(HostPort.init).flatMap { peer in
            if let address = SocketAddress(peer.description) { return [address] }
            let found = SocketAddress.resolve(host: peer.host, port: peer.port)
            if found.isEmpty { log.line(.warning, "unknown-host", "--peer \(peer): there is no such host") }
            return found
        }
        onStatic(found)
    }

    private static func resolve(_ wanted: HostPort) -> SocketAddress? {
        SocketAddress(wanted.description) ?? SocketAddress.resolve(host: wanted.host, port: wanted.port).first
    }
}
