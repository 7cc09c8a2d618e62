package import NodeCore
import SyncState

/// Chain data of messages: it may arrive before or after the body, before or after the segment was cut.
extension ChatState {
    /// Accepts news from the chain from an app. Durable with the caller's commit.
    ///
    /// - Returns: `.new` if no copy of the message is held yet; the fact waits for it.
    /// - Throws: `ChatMessageError` if a field exceeds its limit, `ChatError.revisionsExhausted`.
    package func learn(_ event: ChainEvent, now: MonotonicTime) throws -> Acceptance {
        try event.validate()
        try synchronise()
        try settleCopies(of: event.txid)
        let hash = index.hash(event.txid)
        let overlay = try index.overlays.find(event.txid, hash: hash)
        if overlay?.isDeleted == true { return .deleted }
        let found = try index.find(event.txid, hash: hash)
        let fact = try event.fact(after: overlay?.fact)
        guard let copy = found?.message else {
            if let known = overlay?.fact, fact.says(theSameAs: known) { return .known }
            try put(fact, overlay, hash: hash, isOwn: true)
            note(fact, conversation: nil)
            return .new
        }
        let (before, after) = (overlay?.applied(to: copy) ?? copy, fact.applied(to: copy))
        if before == after { return .known }
        // A copy that nobody else has yet, and that gains chain data as copies do, needs no separate record.
        if overlay?.fact == nil, event.kind == .confirm, let location = found?.holder.location, location.isQueued,
            after.knowsMoreOfTheChain(than: copy)
        {
            try replace(queued: copy, at: location.queueRow, by: after, hash: hash, now: now)
        } else {
            try reads.keep(before, after)
            try put(fact, overlay, hash: hash, isOwn: true)
        }
        note(fact, conversation: copy.conversationID)
        return .upgraded
    }

    /// Joins facts whose record is here. Returns the messages about which more is now known.
    package func merge(_ facts: ChainFacts) throws -> [TxID] {
        try synchronise()
        var changed: [TxID] = []
        for fact in facts.facts {
            let hash = index.hash(fact.txid)
            if try merge(fact, hash: hash) { changed.append(fact.txid) }
            while let reach = try index.overlays.find(fact.txid, hash: hash)?.reach,
                let next = try index.overlays.farFacts.take(of: fact.txid, within: reach)
            {
                if try merge(next, hash: hash) { changed.append(fact.txid) }
            }
        }
        return changed
    }

    /// Takes these facts, and no others, for what is known of some messages: others do not count any more.
    func follow(_ facts: [ChainFact], about messages: Set<TxID>) throws {
        try synchronise()
        for txid in messages.sorted() {
            let hash = index.hash(txid)
            try settleCopies(of: txid)
            try index.overlays.farFacts.forget(txid)
            guard let known = try index.overlays.find(txid, hash: hash), known.fact != nil else { continue }
            var overlay = known
            (overlay.fact, overlay.isTouched, overlay.isUnpublished) = (nil, true, false)
            try index.overlays.store(overlay, replacing: known)
            if let copy = try index.find(txid, hash: hash)?.message {
                changes?.note(.conversation, conversation: copy.conversationID)
            }
        }
        // The highest first: what was added up once is not added up again.
        if !facts.isEmpty { _ = try merge(ChainFacts(facts.sorted { $0.isPreferred(over: $1) })) }
    }

    /// Makes the facts that are in no record wait for one.
    ///
    /// - Parameters:
    ///   - recorded: those that are in one.
    ///   - suspects: messages of which a fact stopped counting.
    func publishFacts(except recorded: Set<ChainFact>, about suspects: Set<TxID>) throws {
        try synchronise()
        for overlay in try index.overlays.overlaysWithFacts() {
            guard let fact = overlay.fact, !recorded.contains(fact), !suspects.contains(fact.txid) else { continue }
            var unpublished = overlay
            unpublished.isUnpublished = true
            try index.overlays.store(unpublished, replacing: overlay)
        }
    }

    private func merge(_ fact: ChainFact, hash: UInt64) throws -> Bool {
        try settleCopies(of: fact.txid)
        let overlay = try index.overlays.find(fact.txid, hash: hash)
        guard fact.revision <= (overlay ?? MessageOverlay(txid: fact.txid, hash: hash)).reach else {
            try index.overlays.farFacts.keep(fact)
            return false
        }
        var counting = fact
        var sum: ChainFact?
        if let known = overlay?.fact {
            let isNews = fact.isPreferred(over: known)
            counting = isNews ? fact : known
            sum = counting.completed(by: isNews ? known : fact)
            guard isNews || sum != nil else { return false }
        }
        counting = sum ?? counting
        let copy = try index.find(fact.txid, hash: hash)?.message
        if let copy { try reads.keep(overlay.shown(copy), counting.applied(to: copy)) }
        try put(counting, overlay, hash: hash, isOwn: sum != nil)
        note(counting, conversation: copy?.conversationID)
        return true
    }

    /// Merges entries in memory if that may change which copy of a message is shown: before it moves, and before
    /// anybody is told whether it is read.
    func settleCopies(of txid: TxID) throws {
        if try index.isContested(txid) { try index.flush() }
    }

    func put(_ fact: ChainFact, _ known: MessageOverlay?, hash: UInt64, isOwn: Bool) throws {
        var overlay = known ?? MessageOverlay(txid: fact.txid, hash: hash)
        overlay.fact = fact
        overlay.isTouched = true
        overlay.isUnpublished = isOwn
        conversations.note(fact.txid)
        try index.overlays.store(overlay, replacing: known)
        if index.overlays.touchedCount >= Limits.indexTail { try index.flush() }
    }

    /// Notes a fact. Its conversation's order and unread count may have changed, too.
    func note(_ fact: ChainFact, conversation: String?) {
        changes?.note(
            fact.status == .reorged ? .messageReorged : .messageConfirmed, fact.txid, conversation: conversation)
        if let conversation { changes?.note(.unread, conversation: conversation) }
    }

    /// Whether facts made here wait for their records.
    var hasUnpublishedFacts: Bool { index.overlays.unpublishedCount > 0 }

    /// Takes the next batch of facts for a record; nil if there is none.
    func takeUnpublishedFacts() throws -> ChainFacts? {
        try synchronise()
        let overlays = try index.overlays.unpublishedOverlays(limit: Limits.factsInRecord)
        guard !overlays.isEmpty else { return nil }
        for overlay in overlays {
            var published = overlay
            published.isUnpublished = false
            try index.overlays.store(published, replacing: overlay)
        }
        return ChainFacts(overlays.compactMap(\.fact))
    }

    // MARK: Shown messages

    /// The message at a location of the index as shown; nil if it cannot be read, or is deleted.
    func shown(at location: MessageLocation) throws -> ChatMessage? {
        try reader.message(at: location).flatMap { try shown($0) }
    }

    /// The message as shown for a preferred copy; nil if it is deleted.
    func shown(_ copy: ChatMessage) throws -> ChatMessage? {
        let overlay =
            index.overlays.isEmpty ? nil : try index.overlays.find(copy.txid, hash: index.hash(copy.txid))
        guard let message = overlay.shown(copy), try !isCoveredByDeletion(message) else { return nil }
        return message
    }
}

extension ChatState {
    /// Messages held with different contents, by txid: all devices show the same one, the others stay in their
    /// segments.
    ///
    /// - Parameter limit: maximum number of messages to examine.
    package func conflicts(limit: Int) throws -> [MessageConflict] {
        try query {
            var found: [MessageConflict] = []
            for txid in try index.conflicts.txids(limit: limit) {
                let hash = index.hash(txid)
                let holder = try index.findInTrees(txid, hash: hash)?.holder.location
                var versions: Set<[UInt8]> = []
                for location in try [holder].compactMap({ $0 }) + index.copies(hash: hash) {
                    guard let copy = try reader.message(at: location), copy.txid == txid, copy.hasContent else {
                        continue
                    }
                    versions.insert(copy.contentBytes)
                }
                if versions.count > 1 { found.append(MessageConflict(txid: txid, versions: versions.count)) }
            }
            return found
        }
    }
}

/// Deleted messages stay deleted, whatever old copies, archives or imports contain, until that is undone.
extension ChatState {
    /// Changes what is deleted.
    var deletions: ChatDeletions { ChatDeletions(chat: self) }

    /// A copy of a message that is held, deleted or not.
    func heldCopy(of txid: TxID) throws -> ChatMessage? {
        try synchronise()
        return try index.find(txid, hash: index.hash(txid))?.message
    }

    /// The same with the chain data that counts.
    func placedCopy(of txid: TxID) throws -> ChatMessage? {
        guard let copy = try heldCopy(of: txid) else { return nil }
        return try index.overlays.find(txid, hash: index.hash(txid))?.fact?.applied(to: copy) ?? copy
    }

    /// Whether a message is deleted by itself.
    package func isDeleted(_ txid: TxID) throws -> Bool {
        try synchronise()
        return try index.overlays.find(txid, hash: index.hash(txid))?.isDeleted ?? false
    }

    /// The same for a copy. Also true if its conversation's deletion covers it and no later chain data can move it
    /// beyond: it is in a block, or its sender's time is long before.
    func isDeleted(_ copy: ChatMessage, _ overlay: MessageOverlay?) throws -> Bool {
        guard let message = overlay.shown(copy) else { return true }
        guard let through = try deletedThrough(message.conversationID),
            MessageOrder.time(blockTime: message.blockTime, senderTimestamp: message.senderTimestamp) <= through
        else { return false }
        return message.blockTime != nil || message.senderTimestamp * 1_000 + Limits.deletionDoubt <= through
    }

    func isDeletedForGood(_ copy: ChatMessage) throws -> Bool {
        try isDeleted(copy, try index.overlays.find(copy.txid, hash: index.hash(copy.txid)))
    }

    /// The locations of a message's copies.
    func locations(of txid: TxID) throws -> [MessageLocation] {
        try synchronise()
        let hash = index.hash(txid)
        var found = Set(index.tail.places(hash: hash, prefix: txid.storage.w0).map { index.tail.entries[$0].location })
        if let holder = try index.location(hash: hash) { found.insert(holder) }
        if let other = try index.collisions.location(of: txid) { found.insert(other) }
        found.formUnion(try index.copies(hash: hash))
        return try found.sorted().filter { try reader.message(at: $0)?.txid == txid }
    }

    func isCoveredByDeletion(_ message: ChatMessage) throws -> Bool {
        guard let through = try deletedThrough(message.conversationID) else { return false }
        return MessageOrder.time(blockTime: message.blockTime, senderTimestamp: message.senderTimestamp) <= through
    }

    /// The time in milliseconds up to which a conversation is deleted; nil if it never was.
    package func deletedThrough(_ conversation: String) throws -> UInt64? {
        let deleted = try conversations.deletions.through()
        guard !deleted.isEmpty, let number = try conversations.number(of: conversation.utf8, create: false) else {
            return nil
        }
        return deleted[number]
    }
}

extension MessageOrder {
    /// It has a score or a block time.
    var isInChain: Bool { word >> 62 < 2 }
}

/// The details of conversations.
extension ChatState {
    /// The join of all details of a conversation, from here and from registers that arrived.
    package func details(_ conversation: String) throws -> ConversationDetails {
        try reloadIfRolledBack()
        let nothing = ConversationDetails(conversationID: conversation)
        guard let number = try conversations.number(of: conversation.utf8, create: false) else { return nothing }
        return try conversations.details(of: number, conversation) ?? nothing
    }

    /// The details of all conversations that have any, in order of their ids.
    package func allDetails() throws -> [ConversationDetails] {
        try flush()
        return try conversations.rows().sorted { $0.name < $1.name }.compactMap(\.details)
    }

    /// - Returns: whether that changed anything.
    func setDetails(_ details: ConversationDetails) throws -> Bool {
        try reloadIfRolledBack()
        let id = details.conversationID
        guard let number = try conversations.number(of: id.utf8, create: true),
            try conversations.details(of: number, id) != details
        else { return false }
        try conversations.store(details, of: number)
        return true
    }
}
