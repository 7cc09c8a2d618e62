import NodeCore
import SyncState

/// Deletes messages and conversations in the chat's tables, and undoes that. Durable with the caller's commit.
struct ChatDeletions {
    let chat: ChatState

    /// Deletes a message, held or not, or undoes that. Durable with the caller's commit.
    ///
    /// Its copies stay, those in the queue too, until `erase`.
    ///
    /// - Returns: false if it was so already.
    func setDeleted(_ txid: TxID, _ isDeleted: Bool) throws -> Bool {
        try chat.synchronise()
        let hash = chat.index.hash(txid)
        let known = try chat.index.overlays.find(txid, hash: hash)
        guard known?.isDeleted ?? false != isDeleted else { return false }
        let conversation = try chat.index.find(txid, hash: hash)?.message?.conversationID
        if isDeleted {
            chat.changes?.note(.messageDeleted, txid, conversation: conversation)
        } else if let conversation {
            chat.changes?.note(.messageAdded, txid, conversation: conversation)
        }
        if let conversation { chat.changes?.note(.unread, conversation: conversation) }
        var overlay = known ?? MessageOverlay(txid: txid, hash: hash)
        overlay.isDeleted = isDeleted
        overlay.isTouched = true
        try chat.index.overlays.store(overlay, replacing: known)
        if isDeleted { try chat.stubs.resolve(txid) }
        return true
    }

    /// Deletes all messages of a conversation up to a time in milliseconds, and no others; nil for none.
    ///
    /// - Returns: whether it was deleted further before, so that its messages have to be listed again by `relist`.
    /// Nil if nothing changed.
    func setDeleted(conversation id: String, through time: UInt64?) throws -> Bool? {
        try chat.synchronise()
        guard let number = try chat.conversations.number(of: id.utf8, create: true) else { return nil }
        let before = try chat.conversations.deletions.through()[number]
        guard before != time else { return nil }
        let isLowered = (before ?? 0) > (time ?? 0)
        // The entries in memory were compared with the deletions before this one.
        if isLowered { try chat.flush() }
        try chat.conversations.deletions.set(number, through: time)
        if !isLowered { chat.index.mustSweep = true }
        chat.changes?.note(.conversation, conversation: id)
        chat.changes?.note(.unread, conversation: id)
        return isLowered
    }

    /// Lists messages of held segments again, and those of the queue.
    func relist(_ conversation: String, _ segments: [(arrival: UInt64, messages: [ChatMessage])]) throws {
        var resolution = try MessageResolution(index: chat.index)
        for (arrival, messages) in segments {
            for (position, message) in messages.enumerated() {
                try resolution.relist(message, at: .segment(arrival, position: position))
            }
        }
        let number = try chat.conversations.number(of: conversation.utf8, create: false)
        for (row, conversation) in try chat.queue.rows() where conversation == number {
            if let message = try chat.queue.message(row: row) { try resolution.relist(message, at: .queue(row: row)) }
        }
        try resolution.apply()
    }

    /// Removes the queued copies of a deleted message, or those of a conversation that are deleted for good.
    func erase(_ subject: Deletion.Subject) throws {
        try chat.synchronise()
        switch subject {
        case .message(let txid):
            for row in try chat.queue.rows(hash: chat.index.hash(txid)) { try erase(row: row) { $0.txid == txid } }
        case .conversation(let id):
            let number = try chat.conversations.number(of: id.utf8, create: false)
            for (row, conversation) in try chat.queue.rows() where conversation == number {
                try erase(row: row) { try chat.isDeletedForGood($0) }
            }
        }
    }

    private func erase(row: Int64, if isMeant: (ChatMessage) throws -> Bool) throws {
        guard let queued = try chat.queue.message(row: row), try isMeant(queued) else { return }
        let hash = chat.index.hash(queued.txid)
        try chat.dequeue(row: row, queued, hash: hash)
        // Otherwise the index would keep naming a row that is gone.
        let known = try chat.index.overlays.find(queued.txid, hash: hash)
        var overlay = known ?? MessageOverlay(txid: queued.txid, hash: hash)
        overlay.isTouched = true
        try chat.index.overlays.store(overlay, replacing: known)
    }

    /// The content of a deletion of a conversation as it is now: up to which time, and which messages individually.
    ///
    /// The time is that of the newest message, never beyond it, so that no clock hides future messages. Messages whose
    /// time may still change (in no block, or in one of the last hour before it) are named individually.
    ///
    /// - Returns: `bound` is nil if there are only stubs, which are also named individually.
    func deletion(of conversation: String, wall: WallTime) throws -> (bound: Deletion.Bound?, txids: [TxID]) {
        let missed = try chat.stubs.txids(in: conversation)
        return try chat.query {
            guard let number = try chat.conversations.number(of: conversation.utf8, create: false) else {
                guard !missed.isEmpty else { throw ChatError.unknownConversation }
                return (nil, missed)
            }
            var newest: UInt64 = 0
            var found: [(key: MessageKey, time: UInt64)] = []
            let now = UInt64(clamping: wall.milliseconds)
            try chat.index.scan(from: .first(of: number)) { key, timeAndFlags in
                let time = timeAndFlags >> 8
                // If a sender's clock is fast, only its message is named.
                if key.order.isInChain || time <= max(now, newest) { newest = max(newest, time) }
                found.append((key, time))
                return true
            }
            guard !found.isEmpty || !missed.isEmpty else { throw ChatError.unknownConversation }
            let bound = try bound(among: found, through: newest)
            var txids = missed
            for (key, time) in found {
                let doubt = key.order.isInChain ? Limits.reorgDoubt : Limits.deletionDoubt
                guard time + doubt > newest, let message = try chat.reader.message(at: key.location) else { continue }
                txids.append(message.txid)
            }
            return (bound, txids)
        }
    }

    /// The newest listed message of a conversation whose time is at or below one in milliseconds, as a bound.
    func newestBound(of conversation: String, through time: UInt64) throws -> Deletion.Bound? {
        try chat.query {
            guard let number = try chat.conversations.number(of: conversation.utf8, create: false) else { return nil }
            var found: [(key: MessageKey, time: UInt64)] = []
            try chat.index.scan(from: .first(of: number)) { key, timeAndFlags in
                found.append((key, timeAndFlags >> 8))
                return true
            }
            return try bound(among: found, through: time)
        }
    }

    private func bound(
        among listed: [(key: MessageKey, time: UInt64)], through limit: UInt64
    ) throws -> Deletion.Bound? {
        for (key, time) in listed.filter({ $0.time <= limit }).sorted(by: { $0.time > $1.time }) {
            // A message that cannot be read names nothing.
            if let message = try chat.reader.message(at: key.location) {
                return Deletion.Bound(through: time, named: message.txid)
            }
        }
        return nil
    }
}
