package import NodeCore
import SyncState

/// What is deleted stays so, whatever comes from old copies, archives or imports.
extension ChatState {
    /// Deletes a message, held or not. Durable with the caller's commit.
    ///
    /// - Returns: false if it was deleted already.
    package func delete(_ txid: TxID) throws -> Bool {
        try synchronise()
        let hash = index.hash(txid)
        let known = try index.overlays.find(txid, hash: hash)
        guard known?.isDeleted != true else { return false }
        let conversation = try index.find(txid, hash: hash)?.message?.conversationID
        changes?.note(.messageDeleted(txid, conversation: conversation))
        if let conversation { changes?.note(.unread(conversation)) }
        for row in try queue.rows(hash: hash) {
            guard let queued = try queue.message(row: row), queued.txid == txid else { continue }
            try dequeue(row: row, queued, hash: hash)
        }
        var overlay = known ?? MessageOverlay(txid: txid, hash: hash)
        overlay.isDeleted = true
        overlay.isTouched = true
        try index.overlays.store(overlay, replacing: known)
        try stubs.resolve(txid)
        return true
    }

    /// Deletes all messages of a conversation up to a time in milliseconds.
    ///
    /// - Returns: false if it was deleted as far already.
    package func delete(conversation id: String, through time: UInt64) throws -> Bool {
        try synchronise()
        guard let number = try conversations.number(of: id.utf8, create: true),
            try conversations.raiseDeleted(number, through: time)
        else { return false }
        index.mustSweep = true
        changes?.note(.conversation(id))
        changes?.note(.unread(id))
        for (row, conversation) in try queue.rows() where conversation == number {
            guard let queued = try queue.message(row: row), try isDeletedForGood(queued) else { continue }
            let hash = index.hash(queued.txid)
            try dequeue(row: row, queued, hash: hash)
            // So that the index does not go on naming a row that is gone.
            let known = try index.overlays.find(queued.txid, hash: hash)
            var overlay = known ?? MessageOverlay(txid: queued.txid, hash: hash)
            overlay.isTouched = true
            try index.overlays.store(overlay, replacing: known)
        }
        return true
    }

    /// Whether a message is deleted for ever, so that nothing of it is to be kept.
    package func isDeleted(_ txid: TxID) throws -> Bool {
        try synchronise()
        return try index.overlays.find(txid, hash: index.hash(txid))?.isDeleted ?? false
    }

    /// As above, of a copy: also where its conversation's deletion covers it, and no later word of the chain will bring
    /// it behind that: it is in a block, or its sender's time is long before.
    func isDeleted(_ copy: ChatMessage, _ overlay: MessageOverlay?) throws -> Bool {
        guard let message = overlay.map({ $0.applied(to: copy) }) ?? copy else { return true }
        guard let through = try deletedThrough(message.conversationID),
            MessageOrder.time(blockTime: message.blockTime, senderTimestamp: message.senderTimestamp) <= through
        else { return false }
        return message.blockTime != nil || message.senderTimestamp * 1_000 + Limits.deletionDoubt <= through
    }

    func isDeletedForGood(_ copy: ChatMessage) throws -> Bool {
        try isDeleted(copy, try index.overlays.find(copy.txid, hash: index.hash(copy.txid)))
    }

    /// Where copies of a message lie.
    func locations(of txid: TxID) throws -> [MessageLocation] {
        try synchronise()
        let hash = index.hash(txid)
        var found = Set(index.tail.places(hash: hash, prefix: txid.storage.w0).map { index.tail.entries[$0].location })
        if let holder = try index.location(hash: hash) { found.insert(holder) }
        if let other = try index.collision(txid) { found.insert(other) }
        found.formUnion(try index.copies(hash: hash))
        return try found.sorted().filter { try reader.message(at: $0)?.txid == txid }
    }

    func isCoveredByDeletion(_ message: ChatMessage) throws -> Bool {
        guard let through = try deletedThrough(message.conversationID) else { return false }
        return MessageOrder.time(blockTime: message.blockTime, senderTimestamp: message.senderTimestamp) <= through
    }

    /// Up to which time in milliseconds a conversation is deleted; nil if it never was.
    package func deletedThrough(_ conversation: String) throws -> UInt64? {
        let deleted = try conversations.deletedThrough()
        guard !deleted.isEmpty, let number = try conversations.number(of: conversation.utf8, create: false) else {
            return nil
        }
        return deleted[number]
    }

    /// What a deletion of a conversation as it is now has to say: up to which time, and which messages by themselves.
    ///
    /// The time is that of the newest message, never beyond it, so that no clock hides what is still to come. Messages
    /// whose time may still change (in no block, or in one of the last hour before it) are named one by one.
    ///
    /// - Returns: `through` is nil where there are stubs only, which are named one by one, too.
    package func deletion(of conversation: String, wall: WallTime) throws -> (through: UInt64?, txids: [TxID]) {
        let missed = try stubs.txids(in: conversation)
        return try query {
            guard let number = try conversations.number(of: conversation.utf8, create: false) else {
                guard !missed.isEmpty else { throw ChatError.unknownConversation }
                return (nil, missed)
            }
            var newest: UInt64 = 0
            var found: [(key: MessageKey, time: UInt64)] = []
            let now = UInt64(clamping: wall.milliseconds)
            try index.byOrder.scan(from: MessageKey.first(of: number).bytes) { entry in
                let key = MessageKey(loading: entry)
                guard key.conversation == number else { return false }
                let time = MessageKey.timeAndFlags(loading: entry) >> 8
                // A sender's clock that runs ahead names its message only.
                if key.order.isInChain || time <= max(now, newest) { newest = max(newest, time) }
                found.append((key, time))
                return true
            }
            guard !found.isEmpty || !missed.isEmpty else { throw ChatError.unknownConversation }
            var txids = missed
            for (key, time) in found {
                let doubt = key.order.isInChain ? Limits.reorgDoubt : Limits.deletionDoubt
                guard time + doubt > newest, let message = try reader.message(at: key.location) else { continue }
                txids.append(message.txid)
            }
            return (found.isEmpty ? nil : newest, txids)
        }
    }
}

extension MessageOrder {
    /// It has a score or a block's time.
    var isInChain: Bool { word >> 62 < 2 }
}
