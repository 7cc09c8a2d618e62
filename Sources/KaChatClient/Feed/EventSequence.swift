import JSONLines
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

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(client: client, place: place) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let client: NodeClient
        /// The place after the last change that the loop has finished with.
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

        /// Nil for an event unknown to this version.
        private mutating func read(_ event: EventParser.Event) throws(ClientError) -> NodeEvent? {
            guard let value = JSONValue(json: event.data) else { throw .badAnswer("an event is not JSON") }
            if event.name == "end" {
                // The problem gives the reason: `not-reachable` if the node stops, `not-found` if the account was
                // removed.
                throw NodeClient.refusal(value, status: value["status"].flatMap { try? Int(json: $0) } ?? 0)
            }
            guard let id = event.id, !id.isEmpty else { return nil }
            place = ChangePlace(token: id)
            switch event.name {
            case "here": return .here(place)
            case "reset":
                let reason = NodeClient.refusal(value, status: value["status"].flatMap { try? Int(json: $0) } ?? 0)
                return .reset(place, because: reason)
            default:
                do throws(FieldError) {
                    return .change(try Change(json: value))
                } catch {
                    throw .badAnswer("an event \(error)")
                }
            }
        }
    }
}

private enum StreamEnd {
    static let error = ClientError(.notReachable, "the node ended the stream")
}
