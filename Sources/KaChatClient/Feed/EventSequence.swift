public import NodeModel

/// An event of a stream.
public enum NodeEvent: Hashable, Sendable {
    /// The stream begins here: nothing has changed yet.
    case here(ChangePlace)
    case change(Change)
    /// The node no longer knows the place from which the stream was to continue, for the given reason. Read everything
    /// again; changes after the new place follow.
    case reset(ChangePlace, because: ClientError)
}

/// Changes pushed by the node as they happen, without end. Unlike `ChangeSequence`, it does not fail if the place is
/// too old: it sends `reset` and continues. Nothing piles up for a slow reader, here or in the node.
public struct EventSequence: AsyncSequence, Sendable {
    public typealias Element = NodeEvent
    public typealias Failure = ClientError

    let client: NodeClient
    let place: ChangePlace

    public func makeAsyncIterator() -> AsyncIterator {
        let client = client
        return AsyncIterator(
            reader: EventReader(since: place) { place throws(ClientError) in try await client.openEvents(since: place) }
        )
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var reader: EventReader

        public mutating func next() async throws(ClientError) -> NodeEvent? {
            let (name, value) = try await reader.next()
            switch name {
            case "here": return .here(reader.place)
            case "reset": return .reset(reader.place, because: EventReader.problem(value))
            default: return .change(try Change("an event", of: value))
            }
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> NodeEvent? {
            try await next()
        }
    }
}
