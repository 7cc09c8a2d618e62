import NodeCore

/// When groups are cut, and into which segments.
extension ArchiveQueue {
    /// A group of which something is to be cut.
    struct Due {
        enum Part {
            case whole
            /// What fills segments.
            case full
            /// What was sent from here, in advance of what the devices that come first may have as well.
            case sent
        }

        var group: Group
        var part: Part
    }

    /// When the next group is to be cut; nil if nothing is queued.
    var deadline: MonotonicTime? {
        guard !groups.isEmpty else { return nil }
        let isMeeting = !ranking.others.isEmpty && metAt == nil && !bursts.isEmpty
        if isMeeting || isOverfull { return latestNow }
        dropStaleAges()
        var soonest = MonotonicTime.distantFuture
        for group in full { soonest = min(soonest, turn(of: group)) }
        for group in bursts.keys { soonest = min(soonest, turn(of: group), end(of: group, ofSent: true)) }
        // The others come by their age.
        let next = ages[oldest...].first { isCurrent($0) && bursts[$0.group] == nil && !full.contains($0.group) }
        return min(soonest, next.map { $0.queuedAt + policy.age } ?? .distantFuture)
    }

    /// Groups to be cut now, in a fixed order.
    func due(force: Bool, now: MonotonicTime) throws -> [Due] {
        latestNow = max(latestNow, now)
        if !ranking.others.isEmpty { metAt = metAt ?? latestNow }
        if force { return whole(groups.keys) }
        var ready = full
        dropStaleAges()
        for age in ages[oldest...] {
            guard age.queuedAt + policy.age <= now else { break }
            if isCurrent(age) { ready.insert(age.group) }
        }
        for group in bursts.keys where min(end(of: group), end(of: group, ofSent: true)) <= now { ready.insert(group) }
        return try ready.sorted(by: Self.precedes).compactMap { group in
            let rank = try ranks[group] ?? rank(of: group)
            ranks[group] = rank
            let isSentDue = end(of: group, ofSent: true) <= now
            guard turn(of: group) <= now || (isSentDue && rank == 0) else {
                return isSentDue ? Due(group: group, part: .sent) : nil
            }
            return Due(group: group, part: isSentDue || isOver(group, now) ? .whole : .full)
        }
    }

    /// With no device connected all that apps gave makes way, where together it is as much as a segment may hold.
    func overfull() -> [Due] { isOverfull ? whole(bursts.keys) : [] }

    private var isOverfull: Bool {
        guard ranking.others.isEmpty else { return false }
        return policy.isFull(
            messages: bursts.values.reduce(0) { $0 + $1.rows.count }, bytes: bursts.values.reduce(0) { $0 + $1.bytes })
    }

    private func whole(_ groups: some Sequence<Group>) -> [Due] {
        groups.sorted(by: Self.precedes).map { Due(group: $0, part: .whole) }
    }

    private static func precedes(_ left: Group, _ right: Group) -> Bool {
        (left.conversation, left.day) < (right.conversation, right.day)
    }

    /// When a group is cut here: later, the more connected devices come first. They archive the same messages, if they
    /// received them, and what they archived is dropped here. What was sent from here does not wait for them.
    private func turn(of group: Group) -> MonotonicTime {
        guard let state = groups[group] else { return latestNow }
        let ready = min(state.firstQueuedAt + policy.age, state.fullAt ?? .distantFuture, end(of: group))
        return ready + Limits.rankPause * (ranks[group] ?? 0)
    }

    /// What was sent from here is nowhere else, and history is given to one device: a group of nothing else waits for
    /// nobody.
    private func rank(of group: Group) throws -> Int {
        guard !ranking.others.isEmpty, bursts[group] != nil, let rows = groups[group]?.rows,
            let name = try name(of: group.conversation)
        else { return 0 }
        let rank = ranking.rank(conversation: name, day: group.day)
        return try rank > 0 && rows.contains { try message(row: $0)?.direction == .received } ? rank : 0
    }

    /// When the connected devices are to have what was given last; never while there are none.
    private func end(of group: Group, ofSent: Bool = false) -> MonotonicTime {
        guard !ranking.others.isEmpty, let metAt else { return .distantFuture }
        return bursts[group]?.end(met: metAt, ofSent: ofSent) ?? .distantFuture
    }

    /// Nothing is to be waited for that may come to the group.
    private func isOver(_ group: Group, _ now: MonotonicTime) -> Bool {
        guard let state = groups[group] else { return false }
        return state.firstQueuedAt + policy.age <= now || end(of: group) <= now
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
    /// Of a group that is not due as a whole, what does not fill a segment, or was not sent, stays in the queue.
    func segments(of due: Due) throws -> [[QueuedMessage]] {
        let group = due.group
        guard let state = groups[group] else { return [] }
        var held: [QueuedMessage] = []
        for row in state.rows {
            guard let message = try message(row: row) else {
                // Sealed under another key, or damaged: it stays in the table for whoever can read it.
                release(row: row, of: group, bytes: 0)
                continue
            }
            guard due.part != .sent || message.direction == .sent else { continue }
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
        if !current.isEmpty, due.part != .full || policy.isFull(messages: current.count, bytes: bytes) {
            segments.append(current)
        }
        return segments
    }
}

/// The messages of a group that apps gave one by one. Connected devices get them together, as soon as no more come.
struct ArchiveBurst {
    struct Row {
        var id: Int64
        var givenAt: MonotonicTime
        /// Upper bound of the payload.
        var bytes: Int
        /// It was sent from here; false as well where nobody knows any more.
        var isSent: Bool
    }

    /// In the order in which they were given.
    private(set) var rows: [Row] = []
    private(set) var bytes = 0

    mutating func add(_ row: Row) {
        let place = rows.lastIndex { $0.givenAt <= row.givenAt }.map { $0 + 1 } ?? 0
        rows.insert(row, at: place)
        bytes += row.bytes
    }

    /// Takes a row out, and tells when it was given; nil if it is not one of these.
    mutating func remove(_ id: Int64) -> MonotonicTime? {
        guard let place = rows.firstIndex(where: { $0.id == id }) else { return nil }
        bytes -= rows[place].bytes
        return rows.remove(at: place).givenAt
    }

    /// When it is over for the connected devices, the first of which came at `met`: after a pause, so that each of two
    /// that meet learns first what the other one has archived, and at the latest some seconds after its first message.
    ///
    /// - Parameter ofSent: of what was sent from here alone.
    /// - Returns: nil where there is nothing of that kind.
    func end(met: MonotonicTime, ofSent: Bool = false) -> MonotonicTime? {
        guard let first = rows.first(where: { $0.isSent || !ofSent })?.givenAt,
            let last = rows.last(where: { $0.isSent || !ofSent })?.givenAt
        else { return nil }
        return min(max(last, met) + Limits.burstPause, max(first, met) + Limits.burstAge)
    }
}

/// Who of the devices that are connected archives a conversation's day first, so that they do not all do it.
///
/// Each computes it by itself. They may see different devices; then two may have one rank, and both archive.
struct ArchiveRanking: Equatable {
    var own = LaneID(.zero)
    /// The connected ones.
    var others: [LaneID] = []

    /// How many of the others come before this device. Another order for each conversation and day, so that the work
    /// is shared.
    func rank(conversation: String, day: UInt64) -> Int {
        let place = Self.place(of: own, conversation, day)
        return others.count { $0 != own && Self.place(of: $0, conversation, day) < place }
    }

    private static func place(of lane: LaneID, _ conversation: String, _ day: UInt64) -> Bytes32 {
        var writer = CBORWriter()
        writer.writeArray(3)
        writer.write(text: conversation)
        writer.write(day)
        writer.write(lane)
        return Blake2b.hash32(writer.bytes, domain: "kachat rank")
    }
}
