public import NodeModel

/// All changes from a place on, without end. Each loop over it reads independently.
///
/// Each change is delivered at least once: the reader's place moves past a change only when the loop asks for the next.
/// If the node is unavailable (restarting, or its store fails for a while), the reader retries by itself and continues
/// where it was. It ends with an error that the app must handle, such as `expired-token`, or when its task is
/// cancelled.
public struct ChangeSequence: AsyncSequence, Sendable {
    public typealias Element = Change
    public typealias Failure = ClientError

    let client: NodeClient
    let place: ChangePlace

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(client: client, place: place) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let client: NodeClient
        /// The place after the last change that the loop has finished with.
        private var place: ChangePlace
        /// Changes read but not yet delivered, the next one last; at most one page.
        private var page: [Change] = []
        private var pause = Pause()

        fileprivate init(client: NodeClient, place: ChangePlace) {
            self.client = client
            self.place = place
        }

        public mutating func next() async throws(ClientError) -> Change? {
            while page.isEmpty { try await read() }
            let change = page.removeLast()
            place = change.place
            return change
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> Change? {
            try await next()
        }

        private mutating func read() async throws(ClientError) {
            do {
                // Resolve "now" only once: after a broken wait it would be a later now.
                if place == .now { place = try await client.place() }
                page = try await client.changes(
                    since: place, limit: Limits.changesPage, waitSeconds: Limits.changesWaitSeconds
                ).reversed()
                pause.reset()
            } catch {
                guard error.isPassing else { throw error }
                try await pause.wait(after: error)
            }
        }
    }
}
