public import NodeModel

/// Events that deserve a notification, pushed by the node as they happen, without end: messages, posts of friends,
/// members who overtake the user, streaks that end. It reconnects by itself. Then it reports messages that came
/// meanwhile, but of groups only later events; a reminder of a streak may come again.
public struct NoticeSequence: AsyncSequence, Sendable {
    public typealias Element = Notice
    public typealias Failure = ClientError

    let client: NodeClient
    let kinds: [Notice.Kind]
    let place: ChangePlace

    public func makeAsyncIterator() -> AsyncIterator {
        let (client, kinds) = (client, kinds)
        return AsyncIterator(
            reader: EventReader(since: place) { place throws(ClientError) in
                try await client.openNotices(kinds, since: place)
            })
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var reader: EventReader

        public mutating func next() async throws(ClientError) -> Notice? {
            while true {
                let (name, value) = try await reader.next()
                // Later versions may have more kinds.
                guard let kind = Notice.Kind(rawValue: name), kind != .here else { continue }
                return try Notice("a notice", of: value)
            }
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> Notice? {
            try await next()
        }
    }
}
