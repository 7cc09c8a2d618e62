public import NodeModel

/// What changes from a place on, without an end. Each loop over it is a reader of its own.
///
/// Each change is given at least once: the reader's place moves behind a change only when the loop comes back for the
/// next. Where the node is not there (it is started anew, or its store fails for a while), the reader tries again by
/// itself, and goes on where it was. It ends by an error that only the app can do something about, such as
/// `expired-token`, or by cancelling its task.
public struct ChangeSequence: AsyncSequence, Sendable {
    public typealias Element = Change
    public typealias Failure = ClientError

    let client: NodeClient
    let place: ChangePlace

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(client: client, place: place) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let client: NodeClient
        /// Behind what the loop has come back from.
        private var place: ChangePlace
        /// Read and not given yet, the next one last; at most one page.
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

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ClientError) -> Change? {
            try await next()
        }

        private mutating func read() async throws(ClientError) {
            do {
                // "Now" is asked once: asked again after a broken wait, it would be a later now.
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
