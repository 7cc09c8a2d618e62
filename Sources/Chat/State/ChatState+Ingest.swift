package import NodeCore
import SyncState

extension ChatState {
    /// Like `accept`, for a message added now: if it is sent and in no block, it is placed after the earlier ones of
    /// its second.
    package func add(_ message: ChatMessage, isHistory: Bool = false, now: MonotonicTime) throws -> Acceptance {
        guard message.direction == .sent, message.blockTime == nil, message.acceptingDaaScore == nil else {
            return try accept(message, isHistory: isHistory, now: now)
        }
        try synchronise()
        if senderOrders == nil {
            // Messages from before this start are in the tree then.
            try index.flush()
            senderOrders = SenderOrders()
        }
        guard message.senderOrder == 0 else {
            try senderOrders?.meet(message) { try nextPlace(of: message) }
            return try accept(message, isHistory: isHistory, now: now)
        }
        var placed = message
        placed.senderOrder = try senderOrders?.next(message) { try nextPlace(of: message) } ?? 0
        let acceptance = try accept(placed, isHistory: isHistory, now: now)
        switch acceptance {
        case .new, .upgraded: senderOrders?.take(placed.senderOrder, message)
        case .known, .deleted: break
        }
        return acceptance
    }

    /// The position after the messages of its second that are in the tree.
    private func nextPlace(of message: ChatMessage) throws -> UInt16 {
        guard let number = try conversations.number(of: message.conversationID.utf8, create: false) else { return 0 }
        var earliest = message
        earliest.senderOrder = 0
        let first = earliest.order
        let end = MessageOrder(word: first.word + UInt64(Limits.senderOrder))
        guard let last = try index.lastEntry(upTo: .last(of: number, upTo: end)), last.key.order >= first else {
            return 0
        }
        return UInt16(clamping: min(last.key.order.word - first.word + 1, UInt64(Limits.senderOrder)))
    }

    /// Accepts a message from an app. It is durable with the caller's commit.
    ///
    /// - Parameter isHistory: it is one of many being imported, and the importer will cut them at the end.
    /// - Throws: `ChatMessageError` if a field exceeds its limit; nothing is changed then.
    package func accept(
        _ message: ChatMessage, isHistory: Bool = false, now: MonotonicTime
    ) throws -> Acceptance {
        try message.validate()
        try synchronise()
        try settleCopies(of: message.txid)
        let hash = index.hash(message.txid)
        let overlay = try index.overlays.find(message.txid, hash: hash)
        if try isDeleted(message, overlay) { return .deleted }
        let isResolved = try message.hasContent && stubs.resolve(message.txid)
        if isResolved { changes?.note(.messageResolved, message.txid, conversation: message.conversationID) }
        guard let conversation = try conversations.number(of: message.conversationID.utf8, create: true) else {
            throw ChatError.unknownConversation
        }
        guard let found = try index.find(message.txid, hash: hash), let held = found.message else {
            try enqueue(
                message, hash: hash, conversation: conversation, now: now, givenAt: isHistory ? nil : now)
            if !isResolved { changes?.note(.messageAdded, message.txid, conversation: message.conversationID) }
            return .new
        }
        let location = found.holder.location
        if !location.isQueued {
            if message.hasContent, !held.hasContent {
                try enqueue(
                    message, hash: hash, conversation: conversation, now: now, givenAt: isHistory ? nil : now,
                    isMove: true)
                if !isResolved { changes?.note(.messageResolved, message.txid, conversation: message.conversationID) }
                return .upgraded
            }
            if message.hasContent, try source?.isOwn(location.id) == false {
                guard try index.holds(message, hash: hash, besides: held) else {
                    let isShown = message.isPreferred(over: held)
                    if isShown { try index.flush() }
                    try enqueue(
                        message, hash: hash, conversation: conversation, now: now, givenAt: isHistory ? nil : now,
                        isMove: true)
                    // The flush reports it.
                    if isShown { try index.flush() }
                    return .upgraded
                }
                try queue.given.note(message, conversation: conversation)
            }
            return try learnMore(message, than: held, overlay, hash: hash)
        }
        let updated = held.updated(by: message)
        if updated != held {
            try replace(queued: held, at: location.queueRow, by: updated, hash: hash, now: now)
            if !isResolved {
                let conversation = updated.conversationID
                if updated.hasContent, !held.hasContent {
                    changes?.note(.messageResolved, message.txid, conversation: conversation)
                } else if !held.hasContent || held.withChain(of: updated) != held {
                    changes?.note(.messageConfirmed, message.txid, conversation: conversation)
                }
            }
            note(updated, shownInsteadOf: held)
            return .upgraded
        }
        return try learnMore(message, than: held, overlay, hash: hash)
    }

    /// Chain data that an app repeats with a message counts as little as a copy's: only if no fact is known, and if it
    /// is more.
    private func learnMore(
        _ message: ChatMessage, than held: ChatMessage, _ overlay: MessageOverlay?, hash: UInt64
    ) throws -> Acceptance {
        guard overlay?.fact == nil else { return .known }
        let isReorg = message.status == .reorged && held.status != .reorged
        let told = isReorg ? held.withChain(of: message) : held.completed(by: message)
        guard told != held else { return .known }
        try reads.keep(held, told)
        try putFact(of: told, overlay, hash: hash)
        return .upgraded
    }

    /// Turns the known chain data of a message into a fact with the first revision.
    private func putFact(of message: ChatMessage, _ overlay: MessageOverlay?, hash: UInt64) throws {
        let fact = ChainFact(
            txid: message.txid, revision: 1, blockTime: message.blockTime,
            acceptingDaaScore: message.acceptingDaaScore, status: message.status)
        try put(fact, overlay, hash: hash, isOwn: true)
        note(fact, conversation: message.conversationID)
    }

    /// Rewrites a queued message.
    func replace(
        queued held: ChatMessage, at row: Int64, by updated: ChatMessage, hash: UInt64, now: MonotonicTime
    ) throws {
        guard let number = try conversations.number(of: updated.conversationID.utf8, create: true) else {
            throw ChatError.unknownConversation
        }
        let overlay = try index.overlays.find(held.txid, hash: hash)
        try reads.keep(overlay.shown(held), overlay.shown(updated))
        // Chain data learnt meanwhile does not extend its wait.
        let givenAt = try dequeue(row: row, held, hash: hash)
        try enqueue(
            updated, hash: hash, conversation: number, now: now, givenAt: givenAt, isMove: row <= index.flushed.row)
    }

    func enqueue(
        _ message: ChatMessage, hash: UInt64, conversation: UInt32, now: MonotonicTime, givenAt: MonotonicTime?,
        isMove: Bool = false
    ) throws {
        conversations.note(message.txid)
        let row = try queue.insert(message, conversation: conversation, now: now, givenAt: givenAt)
        index.tail.append(
            MessageEntry(message, hash: hash, location: .queue(row: row), conversation: conversation), isMove: isMove)
        if index.tail.isFull { try index.flush() }
    }

    /// Removes a row from the queue, and its entry from the tail.
    ///
    /// - Returns: when an app gave it singly.
    @discardableResult
    func dequeue(row: Int64, _ message: ChatMessage, hash: UInt64) throws -> MonotonicTime? {
        guard let conversation = try conversations.number(of: message.conversationID.utf8, create: false) else {
            return nil
        }
        conversations.note(message.txid)
        let givenAt = try queue.delete(
            row: row, message, conversation: conversation, isIndexed: row <= index.flushed.row)
        if let place = index.tail.place(hash: hash, location: .queue(row: row)) { index.tail.kill(place) }
        return givenAt
    }

    /// Indexes a segment whose blob arrived, in the transaction that stored it.
    ///
    /// Queued messages that the segment contains in equal quality leave the queue. A message with a different body
    /// stays, and is archived too: accepted messages are not lost, and all devices can show that there are two.
    package func segmentArrived(_ arrivalID: UInt64, _ sealed: SealedSegment) throws -> SegmentOutcome {
        try synchronise(before: arrivalID)
        guard arrivalID > index.arrived else { return .known }
        return try take(arrivalID, sealed)
    }

    /// Notes that a blob arrived that is not a segment, so that the next start need not examine it.
    package func passed(_ arrivalID: UInt64) throws {
        try synchronise()
        index.arrived = max(index.arrived, arrivalID)
    }

    func take(_ arrivalID: UInt64, _ sealed: SealedSegment) throws -> SegmentOutcome {
        index.arrived = max(index.arrived, arrivalID)
        guard sealed.payloadVersion <= payloadVersion else {
            try newerSegments.note(arrivalID, version: sealed.payloadVersion)
            return .refused(.unknownVersion(sealed.payloadVersion))
        }
        let start = index.tail.entries.count
        let conversation = try number(of: sealed.name)
        var awaited: [TxID] = []
        do throws(SegmentError) {
            try read(sealed, arrivalID, conversation: conversation, awaited: &awaited)
        } catch {
            index.tail.truncate(to: start)
            return .refused(error)
        }
        for txid in awaited where try stubs.resolve(txid) {
            changes?.note(.messageResolved, txid, conversation: sealed.name.conversationID)
        }
        index.segments += 1
        let end = index.tail.entries.count
        if queue.count > 0 { try releaseQueued(index.tail.entries[start..<end]) }
        if index.tail.isFull { try index.flush() }
        return .indexed(messages: end - start)
    }

    private func number(of name: SegmentName) throws -> UInt32 {
        guard let number = try conversations.number(of: name.conversationID.utf8, create: true) else {
            throw ChatError.unknownConversation
        }
        return number
    }

    /// Appends an entry for each message of a segment, and collects those that have a stub. The hot path of a restore.
    private func read(
        _ sealed: SealedSegment, _ arrivalID: UInt64, conversation: UInt32, awaited: inout [TxID]
    ) throws(SegmentError) {
        let index = index
        let stubs: StubTable? = stubs.isEmpty ? nil : stubs
        let areNamed = conversations.areMessagesNamed
        var named: [TxID] = []
        var found: [TxID] = []
        var lent: [Range<Int>] = []
        swap(&lent, &contacts)
        lent = try codec.open(sealed) { (payload) throws(SegmentError) in
            var scanner = try PayloadScanner(payload, reusing: lent)
            var message = ScannedMessage()
            var position = 0
            while try scanner.next(&message) {
                let txid = scanner.cursor.base + message.txidStart
                let location = MessageLocation.segment(arrivalID, position: position)
                position += 1
                let prefix = UInt64(bigEndian: txid.loadUnaligned(as: UInt64.self))
                index.tail.append(
                    MessageEntry(
                        hash: index.hash(txid),
                        key: MessageKey(
                            conversation: conversation, order: message.order, prefix: prefix, location: location),
                        timeAndFlags: MessageEntry.timeAndFlags(
                            time: message.time, isReceived: message.isReceived, hasContent: message.hasContent)))
                if areNamed { named.append(TxID(loading: txid)) }
                if let stubs, message.hasContent, stubs.contains(TxID(loading: txid)) {
                    found.append(TxID(loading: txid))
                }
            }
            return scanner.contacts
        }
        awaited = found
        for txid in named { conversations.note(txid) }
        swap(&lent, &contacts)
    }

    /// Drops queued messages that a segment contains in equal or better quality, so that they are not archived twice.
    /// Their additional chain data stays, as a fact.
    private func releaseQueued(_ entries: ArraySlice<MessageEntry>) throws {
        for entry in entries {
            for row in try queue.rows(hash: entry.hash) {
                guard let queued = try queue.message(row: row), let arrived = try reader.message(at: entry.location),
                    queued.txid == arrived.txid
                else { continue }
                var alike = queued.withChain(of: arrived)
                alike.senderOrder = arrived.senderOrder
                guard !alike.isPreferred(over: arrived), arrived.saysAll(of: queued) else { continue }
                if queued.hasContent, let number = try queue.group(row: row)?.conversation {
                    try queue.given.note(queued, conversation: number)
                }
                let overlay = try index.overlays.find(queued.txid, hash: entry.hash)
                if overlay?.fact == nil, queued.knowsMoreOfTheChain(than: arrived) {
                    try putFact(of: queued, overlay, hash: entry.hash)
                } else {
                    try reads.keep(overlay.shown(queued), overlay.shown(arrived))
                }
                try dequeue(row: row, queued, hash: entry.hash)
            }
        }
    }

    /// Removes the messages of a segment whose blob is about to be removed, before that and in the same transaction. If
    /// another copy is held, it is shown from now on.
    ///
    /// The content of a damaged segment is unknown. Its messages are in no list and no count any more, until it arrives
    /// again, or another copy of them does.
    ///
    /// - Parameter sealed: nil if nothing is left that identifies it.
    package func segmentRemoved(_ arrivalID: UInt64, _ sealed: SealedSegment?) throws {
        try synchronise()
        guard arrivalID <= index.arrived else { return }
        if let sealed, sealed.payloadVersion > payloadVersion { return try newerSegments.forget(arrivalID) }
        let isInTrees = arrivalID <= index.flushed.arrival
        var messages: [ChatMessage]?
        if let sealed, isInTrees || conversations.areMessagesNamed { messages = try? codec.messages(of: sealed) }
        for message in messages ?? [] { conversations.note(message.txid) }
        var wasListed = false
        if isInTrees {
            try index.flush()
            if let messages {
                try index.takeOut(messages, of: arrivalID)
            } else {
                wasListed = try index.takeOut(unreadable: arrivalID, of: sealed?.name.conversationID)
            }
        } else {
            wasListed = index.tail.kill(segment: arrivalID)
        }
        if sealed != nil || wasListed { index.segments = max(0, index.segments - 1) }
        if isInTrees { try index.storeMarks() }
        reader.forget(arrivalID)
    }
}

/// The result of accepting a message from an app.
package enum Acceptance: Sendable, Equatable {
    case new
    /// It is held, and nothing about it is new.
    case known
    /// It is held, and more is now known about it.
    case upgraded
    /// It was deleted, here or on another device, and stays deleted.
    case deleted
}

/// The result of processing an arriving segment.
package enum SegmentOutcome: Sendable, Equatable {
    /// Number of messages indexed, including those already held.
    case indexed(messages: Int)
    /// It was already read when memory was rebuilt from the store.
    case known
    /// It cannot be read. The record stays; none of its messages is listed.
    case refused(SegmentError)
}

/// Reading while nothing can be written: a store without room keeps serving.
extension ChatState {
    /// Runs a query on a complete index.
    ///
    /// Entries in memory are merged first, as usual. If there is no room for that, they are merged in memory for this
    /// query only, and the merge is undone: slower, and nothing is written.
    func query<T>(_ body: () throws -> T) throws -> T {
        if !lacksRoom {
            do {
                try flush()
                return try body()
            } catch let error as DatabaseError where error.isDiskFull {
                lacksRoom = true
            }
        }
        // Data that could not be written is derived again.
        try synchronise()
        defer { conversations.newest.order.forget() }
        return try database.scratch { try index.whileMerged(body) }
    }

    /// Notes that writing works again, so that queries merge permanently again.
    package func noteRoom() { (lacksRoom, countedWithoutRoom) = (false, nil) }
}
