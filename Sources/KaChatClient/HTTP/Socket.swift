#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A connected, non-blocking stream socket, closed when it is released. One task at a time uses it.
final class Socket {
    let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Connects to a node.
    ///
    /// - Throws: `not-reachable`, `timed-out`, `cancelled`; `usage` if the address is invalid.
    static func open(_ address: NodeAddress, until deadline: Deadline) async throws(ClientError) -> Socket {
        let descriptor = socket(address.family, streamKind, 0)
        guard descriptor >= 0 else { throw unreachable(address, errno) }
        prepare(descriptor)
        let made = Socket(descriptor: descriptor)
        let result = try address.withSockaddr { pointer, length in connect(descriptor, pointer, length) }
        if result == 0 { return made }
        guard errno == EINPROGRESS || errno == EINTR else { throw unreachable(address, errno) }
        try await Readiness.shared.wait(for: POLLOUT, of: descriptor, until: deadline)
        var failure: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size)
        if failure != 0 { throw unreachable(address, failure) }
        return made
    }

    private static func unreachable(_ address: NodeAddress, _ number: Int32) -> ClientError {
        ClientError(
            .notReachable,
            "no node answers at \(address): \(String(cString: strerror(number))); start the node first")
    }

    /// Sends all of it.
    ///
    /// - Throws: `not-reachable` if the node has closed the connection, `timed-out`, `cancelled`.
    func write(_ bytes: [UInt8], until deadline: Deadline) async throws(ClientError) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Self.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                try await Readiness.shared.wait(for: POLLOUT, of: descriptor, until: deadline)
            } else if errno != EINTR {
                throw Self.cutOff
            }
        }
    }

    /// The received bytes, once there are any; empty at the end.
    ///
    /// - Throws: the same errors as `write`.
    func receive(until deadline: Deadline) async throws(ClientError) -> [UInt8] {
        while true {
            var number: Int32 = 0
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Limits.readBytes) { buffer, filled in
                count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                number = errno
                filled = max(0, count)
            }
            if count >= 0 { return bytes }
            if number == EAGAIN {
                try await Readiness.shared.wait(for: POLLIN, of: descriptor, until: deadline)
            } else if number != EINTR {
                throw Self.cutOff
            }
        }
    }

    static let cutOff = ClientError(.notReachable, "the node closed the connection: it may have been stopped")

    // MARK: System calls

    #if canImport(Glibc)
        static let streamKind = Int32(SOCK_STREAM.rawValue)
    #else
        static let streamKind = SOCK_STREAM
    #endif

    /// Makes it non-blocking and not inherited, and makes writing to a closed peer an error instead of a signal.
    static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        #if canImport(Darwin)
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// send(2), without a signal if the peer has closed.
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Darwin)
            send(descriptor, bytes, count, 0)
        #else
            send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
        #endif
    }

    /// Discards all received bytes.
    static func drain(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 256)
        while recv(descriptor, &buffer, buffer.count, 0) == buffer.count {}
    }
}
