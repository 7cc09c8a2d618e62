import CLinuxShim
import Glibc
import NodeCore

/// The UDP socket for beacons of one address family. It can send only through an explicitly named interface.
final class DatagramSocket {
    struct Arrival {
        let bytes: [UInt8]
        let source: SocketAddress
        let destination: SocketAddress?
        let interfaceIndex: UInt32
    }

    let descriptor: Int32
    private let group: SocketAddress
    private var joined: Set<UInt32> = []
    /// Room for the datagrams of one call, and what the kernel says about each.
    private let buffer: UnsafeMutableRawBufferPointer
    private let origins: UnsafeMutableBufferPointer<kachat_datagram_origin>

    /// Binds to all addresses at the group's port. Other nodes on the same machine may share it: Linux delivers a
    /// multicast or broadcast to each of them.
    init(group: SocketAddress) throws(SystemError) {
        self.group = group
        // If anything below throws, `deinit` closes it.
        descriptor = try System.call("socket") { kachat_datagram_socket(group.systemFamily) }
        buffer = .allocate(byteCount: Limits.beaconsAtOnce * Limits.beaconBytes, alignment: 16)
        origins = .allocate(capacity: Limits.beaconsAtOnce)
        origins.initialize(repeating: kachat_datagram_origin())
        try System.setOption(descriptor, level: SOL_SOCKET, name: SO_REUSEADDR, to: 1)
        // The kernel gives as much of it as the machine allows.
        try System.setOption(descriptor, level: SOL_SOCKET, name: SO_RCVBUF, to: Limits.beaconBufferBytes)
        if group.family == .ipv4 {
            try System.call("setsockopt") { kachat_ipv4_prepare_receive(descriptor) }
            try System.setOption(descriptor, level: SOL_SOCKET, name: SO_BROADCAST, to: 1)
            try System.setOption(descriptor, level: Int32(IPPROTO_IP), name: IP_MULTICAST_TTL, to: 1)
        } else {
            try System.call("setsockopt") { kachat_ipv6_prepare_receive(descriptor) }
            try System.setOption(descriptor, level: Int32(IPPROTO_IPV6), name: IPV6_MULTICAST_HOPS, to: 1)
        }
        let any =
            group.family == .ipv4
            ? SocketAddress(ipv4: 0, port: group.port) : SocketAddress(ipv6: .zero, port: group.port)
        try any.withSystemAddress { pointer, length throws(SystemError) in
            _ = try System.call("bind") { bind(descriptor, pointer, length) }
        }
    }

    deinit {
        buffer.deallocate()
        origins.deallocate()
        System.close(descriptor)
    }

    /// Joins the group on the interface. Joining twice is allowed.
    func join(_ interfaceIndex: UInt32) throws(SystemError) {
        guard !joined.contains(interfaceIndex) else { return }
        if group.family == .ipv4 {
            try System.call("setsockopt") { kachat_ipv4_join(descriptor, group.systemIPv4, interfaceIndex) }
        } else {
            try System.call("setsockopt") { kachat_ipv6_join(descriptor, group.systemIPv6, interfaceIndex) }
        }
        joined.insert(interfaceIndex)
    }

    /// Leaves the group on the interface, which may have vanished already.
    func leave(_ interfaceIndex: UInt32) {
        guard joined.remove(interfaceIndex) != nil else { return }
        if group.family == .ipv4 {
            _ = kachat_ipv4_leave(descriptor, group.systemIPv4, interfaceIndex)
        } else {
            _ = kachat_ipv6_leave(descriptor, group.systemIPv6, interfaceIndex)
        }
    }

    /// Sends to the group on the interface's link.
    func sendToGroup(
        _ datagram: [UInt8], from source: SocketAddress, on interfaceIndex: UInt32
    ) throws(SystemError) {
        let scope = group.family == .ipv6 ? interfaceIndex : 0
        let destination = SocketAddress(hostBytes: group.hostBytes, scopeID: scope, port: group.port) ?? group
        try send(datagram, to: destination, from: source, on: interfaceIndex)
    }

    /// Sends to a host or broadcast address on the interface's own link. The interface is set on the socket and in the
    /// datagram's control data, and routing through gateways is disabled: nothing follows the default route.
    func send(
        _ datagram: [UInt8], to destination: SocketAddress, from source: SocketAddress, on interfaceIndex: UInt32
    ) throws(SystemError) {
        precondition(interfaceIndex != 0, "invariant: datagrams leave by a named interface")
        try System.call("setsockopt") {
            group.family == .ipv4
                ? kachat_ipv4_multicast_interface(descriptor, interfaceIndex)
                : kachat_ipv6_multicast_interface(descriptor, interfaceIndex)
        }
        try destination.withSystemAddress { destination, length throws(SystemError) in
            try source.withSystemAddress { source, _ throws(SystemError) in
                _ = try System.call("sendmsg") {
                    kachat_send_datagram(
                        descriptor, datagram, datagram.count, destination, length, source, interfaceIndex)
                }
            }
        }
    }

    /// Passes the datagrams that wait to `take`, up to `Limits.beaconsAtOnce`, and returns how many there were. `bytes`
    /// is empty for one that is too long or whose origin the kernel does not tell.
    func receive(_ take: (Arrival) -> Void) throws(SystemError) -> Int {
        let count = try System.callWithoutWaiting("recvmmsg") {
            kachat_receive_datagrams(
                descriptor, buffer.baseAddress, Limits.beaconBytes, origins.baseAddress, UInt32(origins.count))
        }
        for index in 0..<Int(count ?? 0) {
            let origin = origins[index]
            guard origin.truncated == 0, let source = SocketAddress(origin.source) else {
                take(Arrival(bytes: [], source: group, destination: nil, interfaceIndex: 0))
                continue
            }
            let bytes = buffer[(index * Limits.beaconBytes)...].prefix(Int(origin.byte_count))
            take(
                Arrival(
                    bytes: Array(bytes), source: source, destination: SocketAddress(origin.destination),
                    interfaceIndex: origin.interface_index))
        }
        return Int(count ?? 0)
    }
}
