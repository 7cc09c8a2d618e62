package import Node
package import NodeCore
package import Transport

/// Serves commands on the home's unix socket, each in slices between the loop's other duties. The first byte of a
/// connection tells what it speaks: the control protocol begins with a brace, all else is HTTP.
package final class ControlServer: CommandServer {
    private let makeSession: () -> ControlSession
    private let takeHTTP: ((Int32) -> Void)?
    private var listener: UnixListener?
    /// Those that have said nothing yet.
    private var silent: [(number: ConnectionShares.ID, stream: StreamConnection)] = []
    private var clients: [ControlClient] = []
    private var shares = ConnectionShares(.control)
    private var nextNumber: ConnectionShares.ID = 0

    /// - Parameter takeHTTP: takes over the socket of who speaks HTTP; nil where nobody serves it.
    package init(
        path: String, loop: EventLoop, takeHTTP: ((Int32) -> Void)?, makeSession: @escaping () -> ControlSession
    ) throws(Transport.SystemError) {
        self.makeSession = makeSession
        self.takeHTTP = takeHTTP
        listener = try UnixListener(path: path, loop: loop) { [unowned self] stream in accept(stream) }
    }

    package func work(now: MonotonicTime) -> [ControlFault] {
        for order in shares.look(now) { carryOut(order) }
        for client in clients { client.work(now: now) }
        return clients.compactMap(\.session.storeFault)
    }

    package func flush(now: MonotonicTime) {
        for client in clients { client.flush() }
        for client in clients where client.isOver { shares.close(client.number) }
        clients.removeAll(where: \.isOver)
        for (number, stream) in silent where stream.isClosed { shares.close(number) }
        silent.removeAll(where: \.stream.isClosed)
    }

    package func fail(_ error: NodeError, of account: NodeAccount?) {
        for client in clients { client.session.fail(error, of: account) }
    }

    package func abandon(_ account: NodeAccount) {
        for client in clients { client.session.abandon(account) }
    }

    package var deadline: MonotonicTime? { (clients.map(\.deadline) + [shares.deadline]).compactMap(\.self).min() }

    package func stop(now: MonotonicTime) {
        listener?.close()
        fail(NodeError(.notReachable, "the node is stopping"), of: nil)
        flush(now: now)
        for (_, stream) in silent { stream.close() }
        for client in clients { client.close() }
        silent = []
        clients = []
    }

    private func accept(_ stream: StreamConnection) {
        nextNumber += 1
        let number = nextNumber
        if let order = shares.open(number) { carryOut(order) }
        guard let takeHTTP else { return serve(stream, number) }
        silent.append((number, stream))
        stream.handler = { [unowned stream] event, _ in
            if case .endOfInput = event { stream.close() }
        }
        stream.onFirstByte = { [unowned self, unowned stream] byte in
            let index = silent.firstIndex { $0.number == number }
            // Kept until its handler is another's.
            let stream = index.map { silent.remove(at: $0).stream } ?? stream
            if byte == UInt8(ascii: "{") {
                serve(stream, number)
            } else if let descriptor = stream.release() {
                shares.close(number)
                takeHTTP(descriptor)
            }
        }
    }

    private func serve(_ stream: StreamConnection, _ number: ConnectionShares.ID) {
        let session = makeSession()
        session.admit = { [unowned self] request in admit(request, number) }
        clients.append(ControlClient(number: number, stream: stream, session: session))
    }

    /// The request's line is here.
    private func admit(_ request: ControlRequest, _ number: ConnectionShares.ID) -> NodeError? {
        shares.beginRequest(number)
        switch shares.claim(number, for: .owner, isLasting: request.isLasting) {
        case .granted: return nil
        case .refused(.lasting(let most)):
            return NodeError(
                .notReachable,
                "\(most) commands that wait, follow, import or export are running on this home: stop one, then "
                    + "try again")
        case .refused:
            return NodeError(
                .notReachable,
                "\(Limits.controlConnections) commands are running on this home: try again when one is done")
        }
    }

    /// It closes without a word: a command whose request is not here says nothing that could be answered.
    private func carryOut(_ order: ConnectionShares.Order) {
        let number =
            switch order {
            case .refuse(let number), .end(let number): number
            }
        silent.first { $0.number == number }?.stream.close()
        clients.first { $0.number == number }?.close()
    }
}
