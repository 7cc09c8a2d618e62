import NodeCore

/// The answers of writes with an `Idempotency-Key`: a client that lost an answer can repeat the request without
/// repeating its effect. Kept in memory, so a restart forgets them.
struct IdempotencyTable {
    enum Admission {
        case fresh
        /// The first request's answer.
        case again(HTTPAnswer)
        /// The first request is still at work, or was different.
        case refused(Problem)
    }

    struct Key: Hashable {
        /// Nil for the owner. Separates the keys of different callers.
        let tokenID: String?
        package let text: String
    }

    private struct Entry {
        let request: Bytes16
        let since: MonotonicTime
        var answer: HTTPAnswer?
    }

    private var entries: [Key: Entry] = [:]
    /// The oldest first.
    private var order: [Key] = []

    /// - Parameter request: the hash of the whole request.
    package mutating func admit(_ key: Key, request: Bytes16, now: MonotonicTime) -> Admission {
        forget(now)
        guard let entry = entries[key] else {
            entries[key] = Entry(request: request, since: now)
            order.append(key)
            return .fresh
        }
        guard entry.request == request else {
            return .refused(
                Problem(
                    422, "key-reused", "this Idempotency-Key was used for another request", parameter: "Idempotency-Key"
                ))
        }
        guard let answer = entry.answer else {
            return .refused(Problem(409, "in-progress", "the first request with this Idempotency-Key is still running"))
        }
        return .again(answer)
    }

    /// Stores the answer. A server error or an abandoned request may be repeated.
    package mutating func finish(_ key: Key, _ answer: HTTPAnswer?) {
        guard let entry = entries[key], entry.answer == nil else { return }
        if let answer, answer.status < 500 {
            entries[key]?.answer = answer
        } else {
            entries[key] = nil
            order.removeAll { $0 == key }
        }
    }

    private mutating func forget(_ now: MonotonicTime) {
        while let oldest = order.first, let entry = entries[oldest],
            order.count >= Limits.idempotencyKeys || now - entry.since > Limits.idempotencyTime
        {
            entries[oldest] = nil
            order.removeFirst()
        }
    }
}
