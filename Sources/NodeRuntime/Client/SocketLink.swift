import Glibc

/// A connection to the running node's unix socket.
final class SocketLink: CommandLink {
    private let descriptor: Int32

    /// Nil where no node listens.
    init?(path: String) throws(NodeError) {
        guard path.utf8.count <= Limits.socketPathBytes else { return nil }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw NodeError(.failed, "\(FileError.last("socket", path))") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                retryingInterrupts { connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_un>.size)) }
            }
        }
        if connected == 0 {
            self.descriptor = descriptor
            return
        }
        let number = errno
        close(descriptor)
        // Nobody made the socket, or nobody accepts on it any more.
        if number == ENOENT || number == ECONNREFUSED || number == ENOTDIR { return nil }
        let reason = FileError(call: "connect", number: number, subject: path).reason
        throw NodeError(.notReachable, "the node's socket \(path) cannot be reached: \(reason)")
    }

    deinit { close(descriptor) }

    func exchange(_ outgoing: inout [UInt8]) throws(NodeError) -> [UInt8]? {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN | (outgoing.isEmpty ? 0 : POLLOUT)), revents: 0)
        _ = retryingInterrupts { Glibc.poll(&poll, 1, -1) }
        if poll.revents & Int16(POLLOUT) != 0 {
            let sent = outgoing.withUnsafeBytes { bytes in
                retryingInterrupts {
                    send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
                }
            }
            if sent > 0 { outgoing.removeSubrange(..<sent) }
        }
        guard poll.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { return [] }
        var isClosed = false
        let received = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
            let got = retryingInterrupts { recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) }
            isClosed = got == 0 || (got < 0 && errno != EAGAIN)
            count = max(0, got)
        }
        return isClosed ? nil : received
    }
}
