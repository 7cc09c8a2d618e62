import NodeCore
import Transport

/// Serves commands on the home's unix socket, each in slices between the loop's other duties.
final class ControlServer {
    private let makeSession: () -> ControlSession
    private var listener: UnixListener?
    private var clients: [ControlClient] = []

    init(path: String, loop: EventLoop, makeSession: @escaping () -> ControlSession) throws(Transport.SystemError) {
        self.makeSession = makeSession
        listener = try UnixListener(path: path, loop: loop) { [unowned self] stream in accept(stream) }
    }

    /// Before the turn's commit. Gives the failures of stores that commands have run into.
    func work(now: MonotonicTime) -> [ControlFault] {
        for client in clients { client.work(now: now) }
        return clients.compactMap(\.session.storeFault)
    }

    /// After the turn's commit.
    func flush() {
        for client in clients { client.flush() }
        clients.removeAll(where: \.isOver)
    }

    /// What the turn changed in an account was rolled back; nil means in all.
    func fail(_ error: NodeError, of account: NodeAccount? = nil) {
        for client in clients { client.session.fail(error, of: account) }
    }

    /// The account is gone: so is what commands do with it.
    func abandon(_ account: NodeAccount) {
        for client in clients { client.session.abandon(account) }
    }

    var deadline: MonotonicTime? { clients.compactMap(\.deadline).min() }

    /// Takes no more commands; those in work end with a word about it.
    func stop() {
        listener?.close()
        fail(NodeError(.notReachable, "the node is stopping"))
        flush()
        for client in clients { client.close() }
        clients = []
    }

    private func accept(_ stream: StreamConnection) {
        guard clients.count < Limits.controlConnections else { return stream.close() }
        clients.append(ControlClient(stream: stream, session: makeSession()))
    }
}
