public import NodeModel

/// The change feed.
extension NodeClient {
    /// The current end of the feed. Take it before you read everything, then follow the feed from it.
    public func place() async throws(ClientError) -> ChangePlace {
        let changes: [Change] = try await list(
            Call(.get, "changes").query("since", ChangePlace.now.token).query("limit", 1))
        guard let here = changes.first else { throw .badAnswer("it contains no place") }
        return here.place
    }

    /// One page of changes after a place, oldest first.
    ///
    /// - Parameters:
    ///   - limit: from 1 to 500.
    ///   - waitSeconds: time to wait for a change if there is none (up to 60).
    /// - Throws: `expired-token`, `foreign-token`: read everything again.
    public func changes(
        since place: ChangePlace, limit: Int, waitSeconds: Int = 0
    ) async throws(ClientError) -> [Change] {
        let call = Call(.get, "changes").query("since", place.token).query("limit", limit)
            .query("wait", waitSeconds > 0 ? waitSeconds : nil).waiting(seconds: waitSeconds)
        return try await list(call, of: Change.self).filter { $0.kind != .here }
    }

    /// All changes from a place on, as a loop without end. It reconnects by itself.
    ///
    /// ```swift
    /// for try await change in client.changes(since: saved) {
    ///     try await show(change)
    ///     save(change.place)      // together with its effects
    /// }
    /// ```
    public func changes(since place: ChangePlace) -> ChangeSequence { ChangeSequence(client: self, place: place) }

    /// The same, pushed by the node: an event arrives within milliseconds.
    public func events(since place: ChangePlace = .now) -> EventSequence { EventSequence(client: self, place: place) }

    /// Notices, pushed by the node. The token needs `chat:read` for those of messages, and `groups:read` for the
    /// others.
    ///
    /// - Parameter kinds: none for all.
    public func notices(_ kinds: [Notice.Kind] = [], since place: ChangePlace = .now) -> NoticeSequence {
        NoticeSequence(client: self, kinds: kinds, place: place)
    }

    func openEvents(since place: ChangePlace) async throws(ClientError) -> any NodeBody {
        try await openEvents(Call(.get, "events"), since: place)
    }

    func openNotices(_ kinds: [Notice.Kind], since place: ChangePlace) async throws(ClientError) -> any NodeBody {
        let words = kinds.isEmpty ? nil : kinds.map(\.rawValue).joined(separator: " ")
        return try await openEvents(Call(.get, "notices", "stream").query("kind", words), since: place)
    }

    private func openEvents(_ call: Call, since place: ChangePlace) async throws(ClientError) -> any NodeBody {
        // Only the header resets the stream if the place is unknown; in the query it must be well-formed.
        let isToken = place != .now && place != .oldest
        let call = call.query("since", isToken ? nil : place.token).header("Last-Event-ID", isToken ? place.token : nil)
        return try await openStream(call)
    }

    /// Begins an answer that comes bit by bit.
    func openStream(_ call: Call) async throws(ClientError) -> any NodeBody {
        let answer = try await transport.open(call.stream(account: account))
        guard answer.status != 200 else { return answer.body }
        var bytes: [UInt8] = []
        while bytes.count < Limits.lineBytes, let part = try await answer.body.next() { bytes += part }
        throw Self.refusal(answer, bytes)
    }
}
