import Gossip
package import NodeCore
package import Transport

/// The listening sockets for other nodes, by addresses as users write them.
package final class Listeners {
    private let loop: EventLoop
    private let machine: NodeMachine
    private let accept: (StreamConnection) -> Void
    package private(set) var open: [TCPListener] = []
    /// The addresses to listen at again after the background.
    private var closedAddresses: [SocketAddress] = []

    init(_ machine: NodeMachine, loop: EventLoop, accept: @escaping (StreamConnection) -> Void) {
        (self.machine, self.loop, self.accept) = (machine, loop, accept)
    }

    /// The first listening address; nil if there is none.
    package var address: SocketAddress? { open.first?.address }

    /// Listens at an address; without a host, at all addresses.
    package func listen(on address: SocketAddress) throws(Transport.SystemError) {
        let listener = try TCPListener(on: address, loop: loop, onConnection: accept)
        open.append(listener)
        machine.onListening(port: listener.address.port)
    }

    /// Listens at the given address, or on all interfaces: at the default port if it is free, otherwise at any other.
    ///
    /// - Parameter isLocal: without an address, only other programs of this machine reach it.
    func listen(on text: String?, isLocal: Bool) throws(NodeError) {
        guard let text else { return try listen(onAny: isLocal) }
        guard let wanted = HostPort(text), let address = Self.resolve(wanted) else {
            throw NodeError(.failed, "--listen \(text): no such address")
        }
        do {
            try listen(on: address)
        } catch  where error.isAddressInUse {
            throw NodeError(.portInUse, "the port \(text) is in use: choose another with --listen HOST:PORT")
        } catch {
            throw NodeError(.failed, "cannot listen on \(text): \(error)")
        }
    }

    private func listen(onAny isLocal: Bool) throws(NodeError) {
        let usual = Transport.Limits.beaconPort
        let address = SocketAddress(ipv4: isLocal ? 0x7F00_0001 : 0, port: usual)
        do {
            do {
                try listen(on: address)
            } catch  where error.isAddressInUse {
                try listen(on: address.with(port: 0))
            }
        } catch {
            throw NodeError(.failed, "cannot listen: \(error)")
        }
        // IPv6 on the same port, since a beacon names only one; on a machine without IPv6, IPv4 alone.
        let port = open.first?.address.port ?? usual
        let ipv6 = isLocal ? Bytes16(0, 1) : .zero
        try? listen(on: SocketAddress(ipv6: ipv6, port: port))
    }

    private static func resolve(_ wanted: HostPort) -> SocketAddress? {
        SocketAddress(wanted.description) ?? SocketAddress.resolve(host: wanted.host, port: wanted.port).first
    }

    /// Stops listening.
    func close() {
        closedAddresses = open.map(\.address)
        for listener in open { listener.close() }
        open = []
    }

    /// Listens on the same port again; if it is taken, on any other, which beacons announce.
    func reopen() throws(Transport.SystemError) {
        guard let first = closedAddresses.first else { return }
        do {
            try listen(on: first)
        } catch  where error.isAddressInUse {
            try listen(on: first.with(port: 0))
        }
        let port = open.first?.address.port ?? first.port
        // On a machine without IPv6, IPv4 alone serves, as at the start.
        for address in closedAddresses.dropFirst() { try? listen(on: address.with(port: port)) }
        closedAddresses = []
    }
}
