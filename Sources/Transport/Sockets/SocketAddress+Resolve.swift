import CLinuxShim
import Glibc
package import NodeCore

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
