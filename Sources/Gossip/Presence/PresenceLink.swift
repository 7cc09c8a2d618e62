package import NodeCore

/// One own address on one usable interface: beacons are made for it, and Trickle runs for it.
package struct PresenceLink: Hashable, Comparable, Sendable {
    package let interfaceIndex: UInt32
    /// The address that a datagram sent here shows as its source; its port is 0.
    package let address: SocketAddress

    package init(interfaceIndex: UInt32, address: SocketAddress) {
        self.interfaceIndex = interfaceIndex
        self.address = address.unmapped.with(port: 0)
    }

    package static func < (left: PresenceLink, right: PresenceLink) -> Bool {
        (left.interfaceIndex, left.address) < (right.interfaceIndex, right.address)
    }
}
