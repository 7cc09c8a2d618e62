import NodeCore

/// The answers of writes that came with an `Idempotency-Key`, so that one that comes again, since its answer was lost,
/// is not carried out twice. In memory: what the node was asked before its last start it does not remember.
struct IdempotencyTable {
    enum Admission {
        case fresh
        /// What the first one got.
        case again(HTTPAnswer)
        /// The first one is still in work, or was another request.
        case refused(Problem)
    }

    struct Key: Hashable {
        /// Nil for the owner: keys of different callers are different.
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

    /// - Parameter request: the hash of all of it.
    package mutating func admit(_ key: Key, request: Bytes16, now: MonotonicTime) -> Admission {
        forget(now)
        guard let entry = entries[key] else {
            entries[key] = Entry(request: request, since: now)
            order.append(key)
            return .fresh
        }
        guard entry.request == request else {
            return .refused(
                Problem(422, "key-reused", "this Idempotency-Key was another request's", parameter: "Idempotency-Key"))
        }
        guard let answer = entry.answer else {
            return .refused(Problem(409, "in-progress", "the first request of this Idempotency-Key is still in work"))
        }
        return .again(answer)
    }

    /// What went wrong on our side is tried again, and so is what nobody waited for.
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
