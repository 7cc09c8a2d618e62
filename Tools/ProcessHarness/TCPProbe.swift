#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A raw client of a TCP port or a unix socket, for sending what no well-behaved peer would.
package final class TCPProbe {
    private let descriptor: Int32

    /// Connects to an IPv4 address.
    ///
    /// - Parameters:
    ///   - source: the IPv4 address to connect from; nil for the system's choice.
    ///   - receiveBufferBytes: the kernel's receive buffer for this side; nil for the default.
    package init(
        host: String = "127.0.0.1", port: UInt16, from source: String? = nil, receiveBufferBytes: Int32? = nil,
        within duration: Duration = Deadline.patience
    ) throws(HarnessError) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
            throw HarnessError.system(call: "connect \(host)", reason: "no IPv4 address")
        }
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        descriptor = try System.check("socket") { socket(AF_INET, kind, 0) }
        if var bytes = receiveBufferBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        if let source {
            var own = sockaddr_in()
            own.sin_family = sa_family_t(AF_INET)
            let isBound =
                inet_pton(AF_INET, source, &own.sin_addr) == 1
                && withUnsafePointer(to: &own) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                    }
                }
            guard isBound else {
                let reason = System.errorText(errno)
                close(descriptor)
                throw HarnessError.system(call: "bind \(source)", reason: reason)
            }
        }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 && errno != EINPROGRESS {
            let reason = System.errorText(errno)
            close(descriptor)
            throw HarnessError.system(call: "connect \(host):\(port)", reason: reason)
        }
        do {
            try finishConnecting(to: "\(host):\(port)", until: Deadline(after: duration))
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Connects to a unix socket.
    package init(path: String) throws(HarnessError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let descriptor = try System.check("socket") { socket(AF_UNIX, kind, 0) }
        self.descriptor = descriptor
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let reason = System.errorText(errno)
            close(descriptor)
            throw HarnessError.system(call: "connect \(path)", reason: reason)
        }
    }

    deinit {
        close(descriptor)
    }

    private func finishConnecting(to name: String, until deadline: Deadline) throws(HarnessError) {
        guard try System.waitReady(descriptor, events: POLLOUT, until: deadline) else {
            throw HarnessError.timedOut(waitingFor: "a connection to \(name)")
        }
        var failure: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size)
        if failure != 0 { throw HarnessError.system(call: "connect \(name)", reason: System.errorText(failure)) }
    }

    /// Sends all the bytes; false if the other side has closed, or does not accept them in time.
    @discardableResult
    package func send(_ bytes: [UInt8], within duration: Duration = Deadline.patience) -> Bool {
        let deadline = Deadline(after: duration)
        var rest = bytes[...]
        while !rest.isEmpty {
            #if canImport(Glibc)
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
            #else
                let count = rest.withUnsafeBytes { Darwin.send(descriptor, $0.baseAddress, $0.count, 0) }
            #endif
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                let ready = try? System.waitReady(descriptor, events: POLLOUT, until: deadline)
                if ready != true { return false }
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// The data from the other side: waits until `count` bytes are here, it closes, or the time is over.
    package func receive(upTo count: Int = 65_536, within duration: Duration = Deadline.patience) -> [UInt8] {
        let deadline = Deadline(after: duration)
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard let ready = try? System.waitReady(descriptor, events: POLLIN, until: deadline), ready else { break }
            var buffer = [UInt8](repeating: 0, count: min(count - bytes.count, 65_536))
            let got = recv(descriptor, &buffer, buffer.count, 0)
            if got > 0 { bytes += buffer.prefix(got) } else if got == 0 || (errno != EINTR && errno != EAGAIN) { break }
        }
        return bytes
    }

    /// True if the other side closes the connection (normally or by a reset) in time; received data is dropped.
    package func isClosed(within duration: Duration = Deadline.patience) -> Bool {
        let deadline = Deadline(after: duration)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while let ready = try? System.waitReady(descriptor, events: POLLIN, until: deadline), ready {
            let got = recv(descriptor, &buffer, buffer.count, 0)
            if got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN) { return true }
        }
        return false
    }

    /// Shuts down this side's sending, like a peer that sends no more.
    package func endSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }
}
