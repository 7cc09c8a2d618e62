import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// The IPv4 traffic of all programs on this machine: raw sockets get a copy of each packet (raw(7)). Needs root.
final class RawCapture {
    /// One direction of a TCP connection.
    struct Stream: Hashable {
        let from: UInt16
        let to: UInt16
    }

    static let isPossible = geteuid() == 0

    private(set) var streams: [Stream: [UInt8]] = [:]
    /// Each datagram once, even if it was sent in several ways.
    private(set) var datagrams: Set<[UInt8]> = []
    private let udp: Int32
    private let tcp: Int32

    init() throws {
        (udp, tcp) = (try Self.open(Int32(IPPROTO_UDP)), try Self.open(Int32(IPPROTO_TCP)))
    }

    deinit {
        close(udp)
        close(tcp)
    }

    private static func open(_ transport: Int32) throws -> Int32 {
        let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_INET, kind, transport)
        try #require(descriptor >= 0, "socket: \(errno)")
        var bytes: Int32 = 128 << 20
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, socklen_t(MemoryLayout<Int32>.size))
        return descriptor
    }

    /// Receives captured packets: TCP from and to these ports, and datagrams to that one.
    func takeIn(ports: Set<UInt16>, datagramPort: UInt16) {
        read(udp) { packet, header in
            guard packet.count >= header + 8, Self.port(packet, header + 2) == datagramPort else { return }
            datagrams.insert(Array(packet[(header + 8)...]))
        }
        read(tcp) { packet, header in
            guard packet.count >= header + 20 else { return }
            let stream = Stream(from: Self.port(packet, header), to: Self.port(packet, header + 2))
            guard ports.contains(stream.from) || ports.contains(stream.to) else { return }
            let payload = packet.dropFirst(header + Int(packet[header + 12] >> 4) * 4)
            if !payload.isEmpty { streams[stream, default: []] += payload }
        }
    }

    private func read(_ descriptor: Int32, _ body: (ArraySlice<UInt8>, Int) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            if count >= 20 { body(buffer[..<count], Int(buffer[0] & 15) * 4) }
        }
    }

    private static func port(_ packet: ArraySlice<UInt8>, _ place: Int) -> UInt16 {
        UInt16(packet[place]) << 8 | UInt16(packet[place + 1])
    }
}
