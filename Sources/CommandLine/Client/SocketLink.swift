import Commands
import Glibc
import Node

/// A connection to the running node's unix socket.
final class SocketLink: CommandLink {
    private let descriptor: Int32
    private let path: String

    /// Nil if no node listens.
    init?(path: String) throws(NodeError) {
        self.path = path
        guard path.utf8.count <= Node.Limits.socketPathBytes else { return nil }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw NodeError(.failed, "\(FileError.last("socket", path))") }
        // Otherwise a node that hangs with a full connection queue would block the command forever.
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
        // There is no socket, or nobody accepts on it.
        if number == ENOENT || number == ECONNREFUSED || number == ENOTDIR { return nil }
        if number == EAGAIN { throw Self.hangs }
        let reason = FileError(call: "connect", number: number, subject: path).reason
        throw NodeError(.notReachable, "the node's socket \(path) cannot be reached: \(reason)")
    }

    deinit { close(descriptor) }

    func run(
        _ request: Invocation, input: consuming CommandInput?,
        hear: ([ReplyLine]) throws(NodeError) -> Bool
    ) throws(NodeError) {
        let outline = try CommandRequest(request)
        switch outline.body {
        case .none, .fields: try exchange(HTTPReply.request(outline, body: outline.fixedBody), hear)
        case .document:
            let document = try input?.whole() ?? []
            try again().exchange(HTTPReply.request(outline, body: document), hear)
        case .lines:
            guard let input else { return try exchange(HTTPReply.request(outline, body: []), hear) }
            try send(input, outline, hear)
        }
    }

    /// Sends lines in batches, one request each, and combines the replies into one.
    private func send(
        _ input: consuming CommandInput, _ outline: CommandRequest, _ hear: ([ReplyLine]) throws(NodeError) -> Bool
    ) throws(NodeError) {
        var input = input
        var sum = BatchSum()
        var isLast = false
        repeat {
            let batch = try input.batch()
            isLast = input.isAtEnd
            let target = outline.part(firstLine: sum.lines + 1, isLast: isLast)
            let request = HTTPReply.request(outline, target: target, body: batch.bytes)
            try again().exchange(request) { lines throws(NodeError) in try hear(lines.compactMap { sum.take($0) }) }
            sum.lines += batch.lines
        } while !isLast && !sum.hasFailed
        _ = try hear(sum.end())
    }

    /// A new connection for each batch: the node closes one that is silent for half a minute while the input is read.
    private func again() throws(NodeError) -> SocketLink {
        guard let link = try SocketLink(path: path) else { throw Self.gone }
        return link
    }

    private func exchange(_ request: [UInt8], _ hear: ([ReplyLine]) throws(NodeError) -> Bool) throws(NodeError) {
        var outgoing = request[...]
        var reply = HTTPReply()
        while true {
            try wait(for: Int16(POLLIN | (outgoing.isEmpty ? 0 : POLLOUT)))
            try send(&outgoing)
            guard let received = try receive() else { throw Self.gone }
            let lines = try reply.append(received)
            guard try hear(lines), lines.last?.isEnd != true else { return }
        }
    }

    private func wait(for events: Int16) throws(NodeError) {
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        while retryingInterrupts({ Glibc.poll(&entry, 1, Limits.answerPatienceMilliseconds) }) == 0 {
            // A live node answers a question, whatever the command is waiting for.
            guard try Self.isAnswering(path) else { throw Self.hangs }
        }
    }

    private func send(_ outgoing: inout ArraySlice<UInt8>) throws(NodeError) {
        guard !outgoing.isEmpty else { return }
        let sent = outgoing.withUnsafeBytes { bytes in
            retryingInterrupts {
                Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
        }
        if sent > 0 { outgoing = outgoing.dropFirst(sent) }
    }

    /// Nil: the other side has closed. Empty: nothing has arrived.
    private func receive() throws(NodeError) -> [UInt8]? {
        var isClosed = false
        let received = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
            let got = retryingInterrupts { recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) }
            isClosed = got == 0 || (got < 0 && errno != EAGAIN)
            count = max(0, got)
        }
        return isClosed ? nil : received
    }

    private static let gone = NodeError(.notReachable, "the node has closed the connection: it may have been stopped")

    private static let hangs = NodeError(
        .timedOut,
        "the node does not answer: it may be suspended, or its disk may hang; wait, or stop its process and run it "
            + "again")

    /// True if the node answers on another connection, or is gone: then it does not hang.
    private static func isAnswering(_ path: String) throws(NodeError) -> Bool {
        guard let link = try SocketLink(path: path) else { return true }
        var question = Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)[...]
        try link.send(&question)
        guard question.isEmpty else { return false }
        var entry = pollfd(fd: link.descriptor, events: Int16(POLLIN), revents: 0)
        return retryingInterrupts { Glibc.poll(&entry, 1, Limits.answerPatienceMilliseconds) } > 0
    }
}
