package import NodeCore

/// The chain's word on messages: it may come before or after the body, before or after the segment was cut.
extension ChatState {
    /// Takes what an app heard of the chain. Durable with the caller's commit.
    ///
    /// - Returns: `.new` where no copy of the message is held yet; the word waits for it then.
    /// - Throws: `ChatMessageError` if a field is beyond its limit, `ChatError.revisionsExhausted`.
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
        // A copy that nobody else has yet, and that learns more as copies do, needs no record beside it.
        if overlay?.fact == nil, event.kind == .confirm, let location = found?.holder.location, location.isQueued,
            after.knowsMoreOfTheChain(than: copy)
        {
            try replace(queued: copy, at: location.queueRow, by: after, hash: hash, now: now)
        } else {
            try keepRead(before, after)
            try put(fact, overlay, hash: hash, isOwn: true)
        }
        note(fact, conversation: copy.conversationID)
        return .upgraded
    }

    /// Joins facts of another device. Returns the messages about which more is known now.
    package func merge(_ facts: ChainFacts) throws -> [TxID] {
        try synchronise()
        var changed: [TxID] = []
        for fact in facts.facts {
            try settleCopies(of: fact.txid)
            let hash = index.hash(fact.txid)
            let overlay = try index.overlays.find(fact.txid, hash: hash)
            if let known = overlay?.fact, !fact.isPreferred(over: known) { continue }
            let copy = try index.find(fact.txid, hash: hash)?.message
            if let copy { try keepRead(overlay.map { $0.applied(to: copy) } ?? copy, fact.applied(to: copy)) }
            try put(fact, overlay, hash: hash, isOwn: false)
            note(fact, conversation: copy?.conversationID)
            changed.append(fact.txid)
        }
        return changed
    }

    /// Merges what waits in memory, if that may change which copy of a message is shown: before it is moved, and before
    /// anybody is told whether it is read.
    func settleCopies(of txid: TxID) throws {
        if try index.isContested(txid) { try index.flush() }
    }

    func put(_ fact: ChainFact, _ known: MessageOverlay?, hash: UInt64, isOwn: Bool) throws {
        var overlay = known ?? MessageOverlay(txid: fact.txid, hash: hash)
        overlay.fact = fact
        overlay.isTouched = true
        overlay.isUnpublished = isOwn
        try index.overlays.store(overlay, replacing: known)
        if index.overlays.touchedCount >= Limits.indexTail { try index.flush() }
    }

    /// The order of its conversation may have changed with it, and what is unread.
    func note(_ fact: ChainFact, conversation: String?) {
        changes?.note(
            fact.status == .reorged
                ? .messageReorged(fact.txid, conversation: conversation)
                : .messageConfirmed(fact.txid, conversation: conversation))
        if let conversation { changes?.note(.unread(conversation)) }
    }

    /// Whether facts that were made here wait for their records.
    var hasUnpublishedFacts: Bool { index.overlays.unpublishedCount > 0 }

    /// Takes the next batch of facts for a record; nil when there is none.
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

    // MARK: What is shown

    /// The message at a location of the index, as it is to be shown; nil if it cannot be read, or is deleted.
    func shown(at location: MessageLocation) throws -> ChatMessage? {
        try reader.message(at: location).flatMap { try shown($0) }
    }

    /// The message that a preferred copy stands for; nil if it is deleted.
    func shown(_ copy: ChatMessage) throws -> ChatMessage? {
        let overlay =
            index.overlays.isEmpty ? nil : try index.overlays.find(copy.txid, hash: index.hash(copy.txid))
        guard let message = overlay.map({ $0.applied(to: copy) }) ?? copy,
            try !isCoveredByDeletion(message)
        else { return nil }
        return message
    }
}

extension ChatState {
    /// Messages of which different contents are held, by txid: all devices show the same one, the others stay in their
    /// segments.
    ///
    /// - Parameter limit: of the messages that are looked at.
    package func conflicts(limit: Int) throws -> [MessageConflict] {
        try query {
            var found: [MessageConflict] = []
            for txid in try index.conflicts.txids(after: nil, limit: limit) {
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
