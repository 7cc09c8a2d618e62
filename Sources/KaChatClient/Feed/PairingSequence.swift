import JSONLines
public import NodeModel

/// The states of a pairing until it is over; the last one has the state `done`. Leaving the loop ends the pairing.
public struct PairingSequence: AsyncSequence, Sendable {
    public typealias Element = PairingStatus
    public typealias Failure = ClientError

    let client: NodeClient
    let call: Call

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(client: client, call: call) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let client: NodeClient
        private let call: Call
        private var body: (any NodeBody)?
        private var lines = LineBuffer(limit: Limits.lineBytes)

        fileprivate init(client: NodeClient, call: Call) {
            self.client = client
            self.call = call
        }

        /// - Throws: `timed-out`, `not-allowed` and others: why the pairing failed.
        public mutating func next() async throws(ClientError) -> PairingStatus? {
            let body = if let body { body } else { try await client.openStream(call) }
            self.body = body
            while true {
                while let line = lines.next() {
                    guard case .line(let bytes) = line else { throw .badAnswer("a line of the pairing is too long") }
                    // An empty one is a sign of life.
                    if !bytes.isEmpty { return try status(bytes) }
                }
                guard let part = try await body.next() else { return nil }
                lines.append(part)
            }
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> PairingStatus? {
            try await next()
        }

        private func status(_ line: [UInt8]) throws(ClientError) -> PairingStatus {
            guard let value = JSONValue(json: line) else { throw .badAnswer("a line of the pairing is not JSON") }
            if let problem = value["error"] { throw EventReader.problem(problem) }
            return try PairingStatus("a line of the pairing", of: value)
        }
    }
}
