import NodeCore
import Transport

/// Serves commands on the home's unix socket, each in slices between the loop's other duties. The first byte of a
/// connection tells what it speaks: the control protocol begins with a brace, all else is HTTP.
final class ControlServer: CommandServer {
    private let makeSession: () -> ControlSession
    private let takeHTTP: ((Int32) -> Void)?
    private var listener: UnixListener?
    /// Those that have said nothing yet.
    private var silent: [StreamConnection] = []
    private var clients: [ControlClient] = []

    /// - Parameter takeHTTP: takes over the socket of who speaks HTTP; nil where nobody serves it.
    init(
        path: String, loop: EventLoop, takeHTTP: ((Int32) -> Void)?, makeSession: @escaping () -> ControlSession
    ) throws(Transport.SystemError) {
        self.makeSession = makeSession
        self.takeHTTP = takeHTTP
        listener = try UnixListener(path: path, loop: loop) { [unowned self] stream in accept(stream) }
    }

    func work(now: MonotonicTime) -> [ControlFault] {
        for client in clients { client.work(now: now) }
        return clients.compactMap(\.session.storeFault)
    }

    func flush(now: MonotonicTime) {
        for client in clients { client.flush() }
        clients.removeAll(where: \.isOver)
        silent.removeAll(where: \.isClosed)
    }

    func fail(_ error: NodeError, of account: NodeAccount?) {
        for client in clients { client.session.fail(error, of: account) }
    }

    func abandon(_ account: NodeAccount) {
        for client in clients { client.session.abandon(account) }
    }

    var deadline: MonotonicTime? { clients.compactMap(\.deadline).min() }

    func stop(now: MonotonicTime) {
        listener?.close()
        fail(NodeError(.notReachable, "the node is stopping"), of: nil)
        flush(now: now)
        for stream in silent { stream.close() }
        for client in clients { client.close() }
        silent = []
        clients = []
    }

    private func accept(_ stream: StreamConnection) {
        guard clients.count + silent.count < Limits.controlConnections else { return stream.close() }
        guard let takeHTTP else { return clients.append(ControlClient(stream: stream, session: makeSession())) }
        silent.append(stream)
        stream.handler = { [unowned stream] event, _ in
            if case .endOfInput = event { stream.close() }
        }
        stream.onFirstByte = { [unowned self, unowned stream] byte in
            let index = silent.firstIndex { $0 === stream }
            // Kept until its handler is another's.
            let stream = index.map { silent.remove(at: $0) } ?? stream
            if byte == UInt8(ascii: "{") {
                clients.append(ControlClient(stream: stream, session: makeSession()))
            } else if let descriptor = stream.release() {
                takeHTTP(descriptor)
            }
        }
    }
}
