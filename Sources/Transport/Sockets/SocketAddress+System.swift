import CLinuxShim
import Glibc
package import NodeCore

extension SocketAddress {
    /// Converts the kernel's form; nil for families other than IPv4 and IPv6.
    init?(_ storage: sockaddr_storage) {
        guard let address = withUnsafePointer(to: storage, { Self(UnsafeRawPointer($0)) }) else { return nil }
        self = address
    }

    /// `pointer` must point to a sockaddr of its family's full size.
    init?(_ pointer: UnsafeRawPointer) {
        switch Int32(pointer.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET:
            let address = pointer.loadUnaligned(as: sockaddr_in.self)
            self.init(ipv4: UInt32(bigEndian: address.sin_addr.s_addr), port: UInt16(bigEndian: address.sin_port))
        case AF_INET6:
            let address = pointer.loadUnaligned(as: sockaddr_in6.self)
            let host = withUnsafeBytes(of: address.sin6_addr) { Array($0) }
            self.init(hostBytes: host, scopeID: address.sin6_scope_id, port: UInt16(bigEndian: address.sin6_port))
        default:
            return nil
        }
    }

    /// AF_INET or AF_INET6.
    var systemFamily: Int32 { family == .ipv4 ? AF_INET : AF_INET6 }

    /// Passes the address in the kernel's form.
    func withSystemAddress<Result, Failure: Error>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch family {
        case .ipv4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr = systemIPv4
            return try withUnsafeBytes(of: address) { bytes throws(Failure) in
                try Self.lend(bytes, body)
            }
        case .ipv6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_scope_id = scopeID
            address.sin6_addr = systemIPv6
            return try withUnsafeBytes(of: address) { bytes throws(Failure) in
                try Self.lend(bytes, body)
            }
        }
    }

    /// The host of an IPv4 address in network order.
    var systemIPv4: in_addr { in_addr(s_addr: (ipv4 ?? 0).bigEndian) }

    /// The host of an IPv6 address.
    var systemIPv6: in6_addr {
        var host = in6_addr()
        withUnsafeMutableBytes(of: &host) { $0.copyBytes(from: (ipv6 ?? .zero).bytes) }
        return host
    }

    /// getsockname(2): the address that a socket is bound to.
    init(boundBy descriptor: Int32) throws(SystemError) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        try System.call("getsockname") {
            withUnsafeMutableBytes(of: &storage) {
                getsockname(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
            }
        }
        guard let address = SocketAddress(storage) else { throw SystemError(code: EAFNOSUPPORT, call: "getsockname") }
        self = address
    }

    private static func lend<Result, Failure: Error>(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let base = bytes.baseAddress else { preconditionFailure("invariant: a sockaddr is not empty") }
        return try body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
}

extension SocketAddress {
    /// Resolves a host name, in the system's order of preference; empty if there is no such name.
    ///
    /// Calls the system's resolver, which may take seconds: never use it on the loop's thread.
    package static func resolve(host: String, port: UInt16) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_flags = AI_ADDRCONFIG
        hints.ai_family = AF_UNSPEC
        hints.ai_protocol = Int32(IPPROTO_TCP)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next {
            if let pointer = entry.pointee.ai_addr, let address = SocketAddress(UnsafeRawPointer(pointer)) {
                let complete = address.with(port: port)
                if !addresses.contains(complete) { addresses.append(complete) }
            }
            next = entry.pointee.ai_next
        }
        return addresses
    }
}
