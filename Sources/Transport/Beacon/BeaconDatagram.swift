package import NodeCore

/// A datagram that arrived on one of the interfaces used for beacons.
package struct BeaconDatagram: Hashable, Sendable {
    /// At most `Limits.beaconBytes`.
    package let bytes: [UInt8]
    package let source: SocketAddress
    package let interfaceIndex: UInt32
    package let way: BeaconWay
}
