import NodeCore

/// Shares the loop's turns among the requests that have work to do: whoever has waited for most turns goes first, so
/// that nobody waits for ever, and then those that have used the least time, or will: so a short request does not wait
/// behind long ones, nor behind many that begin together.
struct RequestTurns {
    /// What a request has had since it last had to wait for something else than its turn.
    struct Record: Equatable {
        var used = Duration.zero
        /// What the last ones of its kind took.
        var expected = Duration.zero
        /// Turns in which others took all the time.
        var passed = 0

        fileprivate var weight: Duration { expected + used }
    }

    /// The order of requests with these records, as their places.
    static func order(_ records: [Record]) -> [Int] {
        var order = records.indices.sorted { left, right in
            (records[left].weight, left) < (records[right].weight, right)
        }
        let most = records.map(\.passed).max() ?? 0
        if most > 0, let first = order.firstIndex(where: { records[$0].passed == most }) {
            order.insert(order.remove(at: first), at: 0)
        }
        return order
    }
}
