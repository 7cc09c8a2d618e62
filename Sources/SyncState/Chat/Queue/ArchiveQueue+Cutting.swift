import NodeCore

/// When groups are cut, and into which segments.
extension ArchiveQueue {
    /// When the next group is to be cut; nil if nothing is queued.
    var deadline: MonotonicTime? {
        // Its turn was not settled yet.
        if full.contains(where: { turns[$0] == nil }) { return latestNow }
        dropStaleAges()
        var times = [turns.values.min()].compactMap(\.self)
        // Behind those whose turn is settled.
        if let next = ages[oldest...].first(where: { turns[$0.group] == nil && isCurrent($0) }) {
            times.append(next.queuedAt + policy.age)
        }
        return times.min()
    }

    /// Groups to be cut now, in a fixed order.
    ///
    /// - Parameter isRanked: whether the connected devices that come first are waited for.
    func due(force: Bool, isRanked: Bool, now: MonotonicTime) throws -> [Group] {
        latestNow = max(latestNow, now)
        if force { return groups.keys.sorted(by: Self.precedes) }
        var ready = full
        dropStaleAges()
        for age in ages[oldest...] {
            guard age.queuedAt + policy.age <= now else { break }
            if isCurrent(age) { ready.insert(age.group) }
        }
        if isRanked { ready = try ready.filter { try turn(of: $0) <= now } }
        return ready.sorted(by: Self.precedes)
    }

    private static func precedes(_ left: Group, _ right: Group) -> Bool {
        (left.conversation, left.day) < (right.conversation, right.day)
    }

    /// When a group that is ready is cut here: later, the more connected devices come first. They archive the same
    /// messages, if they received them, and what they archived is dropped here. What was sent from here is nowhere
    /// else, so that a group of nothing else waits for nobody.
    private func turn(of group: Group) throws -> MonotonicTime {
        if let turn = turns[group] { return turn }
        guard let state = groups[group] else { return latestNow }
        let ready = min(state.firstQueuedAt + policy.age, state.fullAt ?? .distantFuture)
        var rank = 0
        if !ranking.others.isEmpty, let name = try name(of: group.conversation) {
            rank = ranking.rank(conversation: name, day: group.day)
        }
        if rank > 0, try !state.rows.contains(where: { try message(row: $0)?.direction == .received }) { rank = 0 }
        let turn = ready + Limits.rankPause * rank
        turns[group] = turn
        return turn
    }

    private func isCurrent(_ age: (queuedAt: MonotonicTime, group: Group)) -> Bool {
        groups[age.group]?.firstQueuedAt == age.queuedAt
    }

    private func dropStaleAges() {
        while oldest < ages.count, !isCurrent(ages[oldest]) { oldest += 1 }
        guard oldest > 1_024, oldest > ages.count / 2 else { return }
        ages.removeFirst(oldest)
        oldest = 0
    }

    /// The messages of a group, split as segments: by order, each up to the policy's count and bytes. A message that is
    /// longer than these stands alone.
    ///
    /// Of a group that is neither forced nor old, what does not fill a segment stays in the queue.
    func segments(of group: Group, force: Bool, now: MonotonicTime) throws -> [[QueuedMessage]] {
        guard let state = groups[group] else { return [] }
        let takesAll = force || state.firstQueuedAt + policy.age <= now
        var held: [QueuedMessage] = []
        for row in state.rows {
            guard let message = try message(row: row) else {
                // Sealed under another key, or damaged: it stays in the table for whoever can read it.
                release(row: row, of: group, bytes: 0)
                continue
            }
            held.append(QueuedMessage(row: row, message: message))
        }
        held.sort { ($0.message.order, $0.message.txid) < ($1.message.order, $1.message.txid) }
        var segments: [[QueuedMessage]] = []
        var current: [QueuedMessage] = []
        var bytes = 0
        for item in held {
            let size = PayloadWriter.sizeBound(of: item.message)
            if !current.isEmpty, current.count >= policy.messages || bytes + size > policy.bytes {
                segments.append(current)
                current = []
                bytes = 0
            }
            current.append(item)
            bytes += size
        }
        if !current.isEmpty, takesAll || policy.isFull(messages: current.count, bytes: bytes) {
            segments.append(current)
        }
        return segments
    }
}
