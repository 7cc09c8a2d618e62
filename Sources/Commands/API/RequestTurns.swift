import NodeCore

/// Shares the loop's turns among the requests that have work to do. Requests that have used the least time go first, so
/// that a short one does not wait behind long ones. The second place goes to the one that has waited for most turns, so
/// that none waits for ever.
struct RequestTurns {
    /// The turns of a request since it last had to wait for something else.
    struct Record: Equatable {
        var used = Duration.zero
        /// Turns in which others took all the time.
        var passed = 0
    }

    /// The places that are served in each turn, however long the first took: if the machine interrupts a slice, a short
    /// request would otherwise be passed over, turn after turn.
    static let certain = 2

    /// The order of requests with these records, as their places.
    static func order(_ records: [Record]) -> [Int] {
        var order = records.indices.sorted { left, right in (records[left].used, left) < (records[right].used, right) }
        let most = records.map(\.passed).max() ?? 0
        if most > 0, let first = order.firstIndex(where: { records[$0].passed == most }) {
            order.insert(order.remove(at: first), at: min(first, 1))
        }
        return order
    }
}
