package import NodeCore

/// Devices of a zone that speak another version of the protocol, by address, for as long as they keep showing it.
package struct OtherVersions: Sendable {
    package struct Entry: Sendable, Equatable {
        /// Where it was dialled; without a port, where it came from.
        package let address: SocketAddress
        package let version: UInt16
        /// The device that answered there earlier.
        package let device: LaneID?
        let at: MonotonicTime
    }

    private var found: [Entry] = []

    package init() {}

    mutating func note(_ address: SocketAddress, version: UInt16, device: LaneID?, now: MonotonicTime) {
        found.removeAll { $0.address == address }
        found.append(Entry(address: address, version: version, device: device, at: now))
        if found.count > Limits.otherVersions { found.removeFirst() }
    }

    /// A session came about with that address: it speaks our version now.
    mutating func forget(_ address: SocketAddress) {
        found.removeAll { $0.address == address || $0.address == address.with(port: 0) }
    }

    /// Those of late, the latest last.
    package func entries(now: MonotonicTime) -> [Entry] {
        found.filter { now - $0.at < Limits.otherVersionKept }
    }
}
