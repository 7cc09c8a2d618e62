import NodeCore

/// Decides when groups are cut, and into which segments.
extension ArchiveQueue {
    /// A group with messages to cut now.
    struct Due {
        enum Part {
            case whole
            /// Only full segments.
            case full
            /// Messages sent from here, ahead of those that devices with a lower rank may also have.
            case sent
        }

        var group: Group
        var part: Part
    }

    /// When the next group must be cut; nil if nothing is queued.
    var deadline: MonotonicTime? {
        guard !groups.isEmpty else { return nil }
        let isMeeting = !ranking.others.isEmpty && metAt == nil && !bursts.isEmpty
        if isMeeting || isOverfull { return latestNow }
        dropStaleAges()
        var soonest = MonotonicTime.distantFuture
        for group in full { soonest = min(soonest, turn(of: group)) }
        for group in bursts.keys { soonest = min(soonest, turn(of: group), end(of: group, ofSent: true)) }
        // The others are due by age.
        let next = ages[oldest...].first { isCurrent($0) && bursts[$0.group] == nil && !full.contains($0.group) }
        return min(soonest, next.map { $0.queuedAt + policy.age } ?? .distantFuture)
    }

    /// Groups to cut now, in a fixed order.
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

    /// While no device is connected, everything given by apps is due once it reaches the size of a segment.
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

    /// When this device cuts a group: the more connected devices go first, the later. They archive the same messages if
    /// they received them, and what they archive is dropped here. Messages sent from here do not wait.
    private func turn(of group: Group) -> MonotonicTime {
        guard let state = groups[group] else { return latestNow }
        let ready = min(state.firstQueuedAt + policy.age, state.fullAt ?? .distantFuture, end(of: group))
        return ready + min(Limits.rankPause * (ranks[group] ?? 0), Limits.rankPauseMost)
    }

    /// Messages sent from here exist nowhere else, and history is imported on one device: a group with nothing else
    /// waits for nobody.
    private func rank(of group: Group) throws -> Int {
        guard !ranking.others.isEmpty, bursts[group] != nil, let rows = groups[group]?.rows,
            let name = try name(of: group.conversation)
        else { return 0 }
        let rank = ranking.rank(conversation: name, day: group.day)
        return try rank > 0 && rows.contains { try message(row: $0)?.direction == .received } ? rank : 0
    }

    /// When the connected devices must have the messages given last; never if there are none.
    private func end(of group: Group, ofSent: Bool = false) -> MonotonicTime {
        guard !ranking.others.isEmpty, let metAt else { return .distantFuture }
        return bursts[group]?.end(met: metAt, ofSent: ofSent) ?? .distantFuture
    }

    /// Whether no more messages of the group are expected.
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

    /// The messages of a group, split into segments: in order, each up to the policy's count and bytes. A message that
    /// exceeds these gets its own segment.
    ///
    /// If the whole group is not due, messages that do not fill a segment, or were not sent, stay in the queue.
    func segments(of due: Due) throws -> [[QueuedMessage]] {
        let group = due.group
        guard let state = groups[group] else { return [] }
        var held: [QueuedMessage] = []
        for row in state.rows {
            guard let message = try message(row: row) else {
                // Sealed under another key, or damaged: it stays in the table for a program that can read it.
                release(row: row, of: group, bytes: 0)
                unreadable[row] = group.conversation
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
        /// It was sent from here; false also if that is unknown.
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

    /// Removes a row and returns when it was given; nil if it is not in the burst.
    mutating func remove(_ id: Int64) -> MonotonicTime? {
        guard let place = rows.firstIndex(where: { $0.id == id }) else { return nil }
        bytes -= rows[place].bytes
        return rows.remove(at: place).givenAt
    }

    /// When the burst ends for the connected devices, the first of which came at `met`: after a pause, so that two
    /// devices that meet first learn what the other has archived, and at the latest some seconds after its first
    /// message.
    ///
    /// - Parameter ofSent: only counts messages sent from here.
    /// - Returns: nil if there are no such messages.
    func end(met: MonotonicTime, ofSent: Bool = false) -> MonotonicTime? {
        guard let first = rows.first(where: { $0.isSent || !ofSent })?.givenAt,
            let last = rows.last(where: { $0.isSent || !ofSent })?.givenAt
        else { return nil }
        return min(max(last, met) + Limits.burstPause, max(first, met) + Limits.burstAge)
    }
}

/// The order in which connected devices archive a conversation's day, so that they do not all do it.
///
/// Each device computes it alone. They may see different devices; then two may have the same rank, and both archive.
struct ArchiveRanking: Equatable {
    var own = LaneID(.zero)
    /// The other connected devices.
    var others: [LaneID] = []

    /// How many of the others go before this device. The order differs by conversation and day, so that the work is
    /// shared.
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
