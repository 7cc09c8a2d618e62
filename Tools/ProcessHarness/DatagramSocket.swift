#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A unix-domain datagram socket for others to write to, such as a service manager's.
package final class DatagramSocket {
    private let descriptor: Int32

    /// - Parameter address: a path, or after `@` a name in Linux's abstract namespace.
    package init(_ address: String) throws(HarnessError) {
        var system = sockaddr_un()
        system.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(address.utf8)
        let isAbstract = bytes.first == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &system.sun_path) { $0.copyBytes(from: bytes.prefix($0.count - 1)) }
        let whole = MemoryLayout<sockaddr_un>.size
        let length = isAbstract ? whole - MemoryLayout.size(ofValue: system.sun_path) + bytes.count : whole
        #if canImport(Glibc)
            let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
            let kind = SOCK_DGRAM
        #endif
        let descriptor = try System.check("socket") { socket(AF_UNIX, kind, 0) }
        self.descriptor = descriptor
        let result = withUnsafePointer(to: &system) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(length)) }
        }
        guard result == 0 else {
            let reason = System.errorText(errno)
            close(descriptor)
            throw HarnessError.system(call: "bind \(address)", reason: reason)
        }
    }

    deinit {
        close(descriptor)
    }

    /// The next datagram as text; nil if none comes in time.
    package func next(within duration: Duration) throws(HarnessError) -> String? {
        guard try System.waitReady(descriptor, events: POLLIN, until: Deadline(after: duration)) else { return nil }
        return String(decoding: try System.readSome(descriptor), as: UTF8.self)
    }

    /// The first datagram that matches; earlier ones are dropped.
    /// - Throws: `HarnessError.timedOut` if none comes in time.
    @discardableResult
    package func first(
        within duration: Duration = Deadline.patience, where fits: (String) -> Bool
    ) throws(HarnessError) -> String {
        let deadline = Deadline(after: duration)
        while let text = try next(within: deadline.remaining) {
            if fits(text) { return text }
        }
        throw HarnessError.timedOut(waitingFor: "a datagram that fits")
    }
}
