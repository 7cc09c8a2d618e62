#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The address of a node on this machine.
enum NodeAddress: Sendable, CustomStringConvertible {
    /// `127.0.0.1` and the like, without resolving names: a node listens on loopback only.
    case ipv4(in_addr, port: UInt16)
    case ipv6(in6_addr, port: UInt16)
    /// A unix socket's path.
    case path(String)

    /// Parses `127.0.0.1:47768`, `[::1]:47768` or `localhost:47768`, as `status` and `run` show it; nil for anything
    /// else.
    init?(hostPort text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = String(text[..<colon])
        if host == "localhost" { host = "127.0.0.1" }
        if host.hasPrefix("["), host.hasSuffix("]") {
            var address = in6_addr()
            guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else { return nil }
            self = .ipv6(address, port: port)
        } else {
            var address = in_addr()
            guard inet_pton(AF_INET, host, &address) == 1 else { return nil }
            self = .ipv4(address, port: port)
        }
    }

    var family: Int32 {
        switch self {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .path: AF_UNIX
        }
    }

    /// The value of the Host header.
    var host: String {
        switch self {
        case .ipv4(_, let port): "127.0.0.1:\(port)"
        case .ipv6(_, let port): "[::1]:\(port)"
        case .path: "node"
        }
    }

    var description: String {
        if case .path(let path) = self { path } else { host }
    }

    func withSockaddr(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) throws(ClientError) -> Int32 {
        switch self {
        case .ipv4(let host, let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr = host
            return Self.call(&address, body)
        case .ipv6(let host, let port):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = host
            return Self.call(&address, body)
        case .path(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let room = MemoryLayout.size(ofValue: address.sun_path) - 1
            guard path.utf8.count <= room else {
                throw ClientError(.usage, "the socket's path has more than \(room) bytes: \(path)")
            }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            return Self.call(&address, body)
        }
    }

    private static func call<Address>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
