import Commands
import Glibc
import Node

/// A connection to the running node's unix socket.
final class SocketLink: CommandLink {
    private let descriptor: Int32
    private let path: String

    /// Nil where no node listens.
    init?(path: String) throws(NodeError) {
        self.path = path
        guard path.utf8.count <= Node.Limits.socketPathBytes else { return nil }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw NodeError(.failed, "\(FileError.last("socket", path))") }
        // Else a node that hangs, with its queue of connections full, would hold the command for ever.
        var patience = timeval(tv_sec: Int(Limits.answerPatienceMilliseconds / 1_000), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
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
        if number == EAGAIN { throw Self.hangs }
        let reason = FileError(call: "connect", number: number, subject: path).reason
        throw NodeError(.notReachable, "the node's socket \(path) cannot be reached: \(reason)")
    }

    deinit { close(descriptor) }

    func exchange(_ outgoing: inout [UInt8]) throws(NodeError) -> [UInt8]? {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN | (outgoing.isEmpty ? 0 : POLLOUT)), revents: 0)
        while retryingInterrupts({ Glibc.poll(&poll, 1, Limits.answerPatienceMilliseconds) }) == 0 {
            // Whatever the command waits for: a node that lives answers a question.
            guard try Self.isAnswering(path) else { throw Self.hangs }
        }
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

    private static let hangs = NodeError(
        .timedOut,
        "the node does not answer: it may be suspended, or its disk may hang; wait, or stop its process and run it "
            + "again")

    /// Whether the node answers anything on another connection. One that has gone does not hang.
    private static func isAnswering(_ path: String) throws(NodeError) -> Bool {
        guard let link = try SocketLink(path: path) else { return true }
        let question = ControlRequest(command: "config get", arguments: ["KEY": ["api.port"]]).encoded + [0x0A]
        let isSent = question.withUnsafeBytes { bytes in
            retryingInterrupts {
                send(link.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            } == bytes.count
        }
        guard isSent else { return false }
        var poll = pollfd(fd: link.descriptor, events: Int16(POLLIN), revents: 0)
        return retryingInterrupts { Glibc.poll(&poll, 1, Limits.answerPatienceMilliseconds) } > 0
    }
}
