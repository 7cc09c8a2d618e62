package import NodeCore
package import SyncState

extension ChatState {
    /// When `cut` is due, possibly in the past; nil while the queue is empty.
    package var nextCutDeadline: MonotonicTime? {
        // If that fails, so will the cut, and report why.
        try? reloadIfRolledBack()
        return queue.deadline
    }

    /// Number of messages in the queue: no other device can have them from this one.
    package var queuedCount: Int {
        try? reloadIfRolledBack()
        return queue.count
    }

    /// Since when the oldest message given singly by an app has been waiting while a device is connected; nil if none
    /// is.
    package var waitingBesideDevicesSince: MonotonicTime? {
        guard let metAt = queue.metAt, let first = queue.bursts.values.compactMap(\.rows.first?.givenAt).min() else {
            return nil
        }
        return max(first, metAt)
    }

    /// Cuts the segments that are due, in the caller's transaction.
    ///
    /// A group of messages (one conversation, one UTC day) is due when the policy says so or connected devices must get
    /// it, and it is this device's turn; or when forced. Afterwards each message is in exactly one segment, and no
    /// longer in the queue.
    ///
    /// - Parameters:
    ///   - force: true cuts everything: the app goes to the background, the node stops.
    ///   - joining: the segment that messages of one group join, which is written again; nil if they do not.
    ///   - write: seals a draft, writes record and blob, and returns the blob's arrival id. It does not call
    ///     `segmentArrived`.
    /// - Returns: how many segments were cut.
    @discardableResult
    package func cut(
        force: Bool = false, now: MonotonicTime, joining: ([ChatMessage]) throws -> OpenSegment? = { _ in nil },
        write: (SegmentDraft) throws -> UInt64
    ) throws -> Int {
        try synchronise()
        let segments = try cut(queue.due(force: force, now: now), joining: joining, write: write)
        return try segments + cut(queue.overfull(), joining: joining, write: write)
    }

    /// The groups in which any of these messages wait, ascending.
    func queuedGroups(of txids: [TxID]) throws -> [ArchiveQueue.Group] {
        try synchronise()
        guard queue.count > 0 else { return [] }
        return Set(try txids.compactMap { try queue.group(of: $0) })
            .sorted { ($0.conversation, $0.day) < ($1.conversation, $1.day) }
    }

    @discardableResult
    func cut(
        _ due: [ArchiveQueue.Due], joining: ([ChatMessage]) throws -> OpenSegment?,
        write: (SegmentDraft) throws -> UInt64
    ) throws -> Int {
        var segments = 0
        let known = queue.unreadable.count
        defer { if queue.unreadable.count > known { index.mustSweep = true } }
        for due in due {
            for items in try queue.segments(of: due) {
                try cut(items, joining(items.map(\.message)), of: due.group, write)
                segments += 1
            }
        }
        return segments
    }

    /// - Parameter open: the segment that they join.
    private func cut(
        _ items: [QueuedMessage], _ open: OpenSegment?, of group: ArchiveQueue.Group,
        _ write: (SegmentDraft) throws -> UInt64
    ) throws {
        guard let first = items.first?.message else { return }
        let name =
            try open?.name
            ?? SegmentName(
                conversationID: first.conversationID, dayBucket: group.day, writer: lane,
                sequence: queue.takeSequence(of: group))
        // Sorted like the payload, so that positions agree.
        let held = (open?.messages ?? []).map { (message: $0, item: nil as QueuedMessage?) }
        let all = (held + items.map { ($0.message, $0) }).sorted {
            ($0.message.order, $0.message.txid) < ($1.message.order, $1.message.txid)
        }
        let draft = try codec.draft(all.map(\.message), name: name, queueRows: items.map(\.row))
        // Takes the messages of the segment that is replaced out of the index.
        let arrivalID = try write(draft)
        precondition(arrivalID > index.arrived, "invariant: arrival ids grow")
        index.arrived = arrivalID
        index.segments += 1
        for (position, (message, item)) in all.enumerated() {
            let location = MessageLocation.segment(arrivalID, position: position)
            if let item {
                try move(item, to: location, of: group)
            } else {
                index.tail.append(
                    MessageEntry(
                        message, hash: index.hash(message.txid), location: location, conversation: group.conversation))
            }
        }
        if index.tail.isFull { try index.flush() }
    }

    /// Removes a message from the queue and points the index to its position in a segment.
    private func move(_ item: QueuedMessage, to location: MessageLocation, of group: ArchiveQueue.Group) throws {
        let hash = index.hash(item.message.txid)
        let isIndexed = item.row <= index.flushed.row
        try queue.delete(row: item.row, item.message, conversation: group.conversation, isIndexed: isIndexed)
        if let place = index.tail.place(hash: hash, location: .queue(row: item.row)) {
            index.tail.move(place, to: location)
        } else {
            index.tail.append(
                MessageEntry(item.message, hash: hash, location: location, conversation: group.conversation),
                isMove: true)
        }
    }
}

/// Repairing rot: derived data is derived again from segments and queue (docs/STORAGE.md, §8).
extension ChatState {
    /// Segments that are held and could not be opened since the last call.
    package func takeSuspects() -> [UInt64] { reader.takeSuspects() }
    package var hasSuspects: Bool { !reader.suspects.isEmpty }

    /// The number of parts that `mendIndex` checks.
    package var derivedParts: Int { index.trees.count + 1 }

    /// Checks a tree or the counts of messages, and derives all of them again if it is damaged: a million messages take
    /// some seconds.
    ///
    /// - Returns: whether that was done.
    package func mendIndex(_ cursor: inout DerivedCursor) throws -> Bool {
        try synchronise()
        let trees = index.trees
        let isSound = try cursor.part < trees.count ? trees[cursor.part].isSound() : isListed()
        if isSound && cursor.part < trees.count { cursor.nextPart() } else { cursor.skip(to: derivedParts) }
        guard !isSound else { return false }
        try database.transaction {
            try index.removeAll()
            try conversations.resetCounts()
            try queue.forgetGone()
            conversations.forget()
            reader.forget()
            try index.load()
            try queue.load(indexed: index.flushed.row)
            isDerived = false
            try flush()
        }
        return true
    }

    /// Whether the tree lists as many messages of each conversation as are counted, and they are found by their txid.
    private func isListed() throws -> Bool {
        guard try HashKey(storedIn: database) == index.hashKey, try conversations.areNumbered() else { return false }
        var listed: [UInt32: Int] = [:]
        var queued: [MessageKey] = []
        try index.byOrder.scan { entry in
            let key = MessageKey(loading: entry)
            listed[key.conversation, default: 0] += 1
            if key.location.isQueued { queued.append(key) }
            return true
        }
        try forgetLost(queued)
        return try conversations.rows().reduce(into: [:]) { $0[$1.number] = $1.messages } == listed
    }

    /// Makes the next flush take queued messages that can no longer be opened out of the list.
    private func forgetLost(_ listed: [MessageKey]) throws {
        let gone = try queue.goneKeys()
        for key in listed where gone[key.location.queueRow] == nil {
            guard try queue.message(row: key.location.queueRow) == nil else { continue }
            queue.unreadable[key.location.queueRow] = key.conversation
            index.mustSweep = true
        }
    }

    /// Queued messages whose rows can no longer be opened.
    package func countUnreadableQueued() throws -> Int {
        try queue.rows().count { try queue.message(row: $0.row) == nil }
    }
}

extension MessageIndex {
    var trees: [PackedIndex] { [byHash, byOrder, copies] }

    /// Resets to a database without messages; overlays must be processed again.
    func removeAll() throws {
        for tree in trees { try tree.removeAll() }
        try hashKey.store(in: database)
        try database.execute(
            """
            DELETE FROM txid_collision; DELETE FROM chat_state;
            UPDATE message_overlay SET listed = NULL, touched = 1
            """)
    }
}

extension ConversationTable {
    func resetCounts() throws {
        try database.execute(
            """
            DELETE FROM conversation WHERE id NOT BETWEEN 1 AND \(UInt32.max);
            UPDATE conversation SET messages = 0, received = 0, unread = 0, newest = NULL, swept = NULL
            """)
    }
}
