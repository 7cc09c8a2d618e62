/// One connection to a node, for one request after another.
///
/// `Sendable` because it changes hands only through the transport's list of idle connections: the task that took it out
/// is its only user.
final class HTTPConnection: @unchecked Sendable {
    private let socket: Socket
    private var reader = HTTPReader()
    /// Nothing of the current request's answer has arrived.
    private(set) var isUntouched = true

    init(_ socket: Socket) { self.socket = socket }

    var isReusable: Bool { reader.isReusable }

    /// Sends a request and returns the head of its answer.
    func begin(_ request: [UInt8], patience: Duration) async throws(ClientError) -> HTTPReader.Head {
        let deadline = Deadline(after: patience)
        reader = HTTPReader()
        isUntouched = true
        try await socket.write(request, until: deadline)
        while true {
            if let head = try reader.head() { return head }
            let bytes = try await socket.receive(until: deadline)
            guard !bytes.isEmpty else { throw Socket.cutOff }
            isUntouched = false
            reader.append(bytes)
        }
    }

    /// The next bytes of the body; nil at its end.
    func next(patience: Duration) async throws(ClientError) -> [UInt8]? {
        // The deadline covers framing, too, however slowly it arrives.
        let deadline = Deadline(after: patience)
        while true {
            if let bytes = try reader.body() { return bytes }
            if reader.isOver { return nil }
            let bytes = try await socket.receive(until: deadline)
            if bytes.isEmpty { try reader.end() } else { reader.append(bytes) }
        }
    }
}

/// The body of an answer on a connection, which returns to the idle list once the body is read.
final class HTTPBody: NodeBody {
    private var connection: HTTPConnection?
    private let patience: Duration
    private let giveBack: (HTTPConnection) -> Void

    init(connection: HTTPConnection, patience: Duration, giveBack: @escaping (HTTPConnection) -> Void) {
        self.connection = connection
        self.patience = patience
        self.giveBack = giveBack
    }

    func next() async throws(ClientError) -> [UInt8]? {
        guard let used = connection else { return nil }
        do {
            if let bytes = try await used.next(patience: patience) { return bytes }
        } catch {
            // The connection is in the middle of an answer, so nobody can reuse it.
            connection = nil
            throw error
        }
        connection = nil
        if used.isReusable { giveBack(used) }
        return nil
    }
}
