import JSONLines
public import NodeModel

/// What a stream of events tells.
public enum NodeEvent: Hashable, Sendable {
    /// The stream begins here: nothing has changed yet.
    case here(ChangePlace)
    case change(Change)
    /// The place from which the stream was to go on is not known any more, for that reason. Read everything anew; what
    /// changes from the given place on is told next.
    case reset(ChangePlace, because: ClientError)
}

/// What changes, pushed by the node as it happens, without an end. As `ChangeSequence`, but it never fails because of a
/// place that is too old: it says `reset` and goes on. Nothing piles up for a slow reader, here or in the node.
public struct EventSequence: AsyncSequence, Sendable {
    public typealias Element = NodeEvent
    public typealias Failure = ClientError

    let client: NodeClient
    let place: ChangePlace

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(client: client, place: place) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let client: NodeClient
        /// Behind what the loop has come back from.
        private var place: ChangePlace
        private var body: (any NodeBody)?
        private var parser = EventParser()
        private var pause = Pause()

        fileprivate init(client: NodeClient, place: ChangePlace) {
            self.client = client
            self.place = place
        }

        public mutating func next() async throws(ClientError) -> NodeEvent? {
            while true {
                do throws(ClientError) {
                    if body != nil, let event = try parser.next() {
                        guard let told = try read(event) else { continue }
                        pause.reset()
                        return told
                    }
                    if let body {
                        guard let bytes = try await body.next() else { throw StreamEnd.error }
                        parser.append(bytes)
                    } else {
                        body = try await client.openEvents(since: place)
                        parser = EventParser()
                    }
                } catch {
                    body = nil
                    guard error.isPassing else { throw error }
                    try await pause.wait(after: error)
                }
            }
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ClientError) -> NodeEvent? {
            try await next()
        }

        /// Nil for what this version does not know.
        private mutating func read(_ event: EventParser.Event) throws(ClientError) -> NodeEvent? {
            guard let value = JSONValue(json: event.data) else { throw .badAnswer("an event is no JSON") }
            if event.name == "end" {
                // The problem says why: `not-reachable` where the node stops, `not-found` where the account was
                // removed.
                throw NodeClient.refusal(value, status: Fields(value).optionalCount("status") ?? 0)
            }
            guard let id = event.id, !id.isEmpty else { return nil }
            place = ChangePlace(token: id)
            switch event.name {
            case "here": return .here(place)
            case "reset":
                let reason = NodeClient.refusal(value, status: Fields(value).optionalCount("status") ?? 0)
                return .reset(place, because: reason)
            default: return .change(try Change(Fields(value)))
            }
        }
    }
}

private enum StreamEnd {
    static let error = ClientError(.notReachable, "the node has ended the stream")
}
