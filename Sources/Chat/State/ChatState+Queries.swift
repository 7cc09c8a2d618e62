package import NodeCore
import SyncState

extension ChatState {
    /// All conversations, the one with the newest message first.
    package func conversationList() throws -> [ConversationSummary] {
        let list = ConversationList(self)
        return try list.places().compactMap { try list.conversation(at: $0) }
    }

    /// A conversation's entry in that list; nil if it has neither messages nor details.
    package func conversation(_ id: String) throws -> ConversationSummary? {
        let missed = try stubs.missed(in: id)
        return try query { try summary(of: id, missed) }
    }

    func summary(of id: String, _ missed: StubCount?) throws -> ConversationSummary? {
        guard let number = try conversations.number(of: id.utf8, create: false),
            let row = try conversations.rows(only: number).first,
            row.messages > 0 || row.details != nil || missed != nil
        else { return missed.map { ConversationSummary($0) } }
        var summary = try summary(of: row)
        summary.placeholders = missed?.count ?? 0
        if row.messages == 0 { summary.contact = missed?.contact ?? "" }
        return summary
    }

    func summary(of row: ConversationTable.Row) throws -> ConversationSummary {
        let last = try newest(of: row)
        return ConversationSummary(
            conversationID: row.name, details: row.details, contact: last?.contact ?? "", messages: row.messages,
            unread: row.unread, placeholders: 0, lastTxID: last?.txid, lastBlockTime: last?.blockTime,
            lastSenderTimestamp: last?.senderTimestamp,
            lastReadTxID: row.reading.last?.txid, lastReadBlockTime: row.reading.last?.blockTime,
            lastReadBy: row.reading.last?.lane)
    }

    /// The newest message of a conversation, by time.
    func newest(of row: ConversationTable.Row) throws -> NewestMessage? {
        guard row.messages > 0, row.newest == nil else { return row.newest }
        guard let newest = try findNewest(of: row.number) else { return nil }
        conversations.newest.keep(newest, lackedBy: row.number)
        return newest
    }

    private func findNewest(of number: UInt32) throws -> NewestMessage? {
        guard let location = try index.newest(of: number), let message = try shown(at: location) else { return nil }
        return NewestMessage(
            txid: message.txid, contact: message.contact, blockTime: message.blockTime,
            senderTimestamp: message.senderTimestamp)
    }

    /// Writes the newest messages of conversations whose rows lack them, in the open transaction or in a separate one
    /// that does not wait for the disk.
    func storeNewest() throws {
        guard !conversations.newest.lacking.isEmpty else { return }
        if database.inTransaction { return try conversations.newest.store(findNewest) }
        try database.setDurable(false)
        defer { try? database.setDurable(true) }
        try database.transaction { try conversations.newest.store(findNewest) }
    }

    /// True if there are messages of this conversation, or stubs.
    package func hasConversation(_ id: String) throws -> Bool {
        if try stubs.missed(in: id) != nil { return true }
        return try query {
            guard let number = try conversations.number(of: id.utf8, create: false) else { return false }
            return try conversations.rows(only: number).contains { $0.messages > 0 }
        }
    }

    /// Messages of a conversation, newest first.
    ///
    /// - Parameters:
    ///   - cursor: of the last message of the previous page; nil starts with the newest.
    ///   - limit: at most 1,000.
    package func messages(
        conversation: String, before cursor: MessageCursor? = nil, limit: Int
    ) throws -> [ListedMessage] {
        try query { try page(of: conversation, before: cursor, limit: limit) }
    }

    private func page(of conversation: String, before cursor: MessageCursor?, limit: Int) throws -> [ListedMessage] {
        guard let number = try conversations.number(of: conversation.utf8, create: false) else { return [] }
        let limit = min(limit, Limits.listedMessages)
        let position = try conversations.reading(of: number).position
        var page: [ListedMessage] = []
        var bound = MessageKey.last(of: number)
        if let cursor { bound = .last(of: number, upTo: cursor.order, prefix: cursor.txid.storage.w0) }
        while page.count < limit {
            let keys = try keys(upTo: bound, limit: limit - page.count)
            guard let last = keys.last else { break }
            for key in keys {
                // An unreadable segment is skipped; the store checks it and fetches it again.
                guard let copy = try reader.message(at: key.location) else {
                    unreadable += 1
                    continue
                }
                guard let message = try shown(copy) else { continue }
                let listed = ListedMessage(message, isQueued: key.location.isQueued, position: position)
                if let cursor, listed.cursor >= cursor { continue }
                page.append(listed)
            }
            guard let next = last.predecessor else { break }
            bound = next
        }
        // Within equal order and prefix the tree sorts by location; the list sorts by txid.
        page.sort { $0.cursor > $1.cursor }
        // So all of them were read; the next page begins among them.
        return Array(page.prefix(limit))
    }

    /// Up to `limit` keys of a conversation at or below `bound`, descending, plus those with the same prefix as the
    /// last.
    private func keys(upTo bound: MessageKey, limit: Int) throws -> [MessageKey] {
        var keys: [MessageKey] = []
        try index.scan(from: bound, descending: true) { key, _ in
            if keys.count >= limit, let last = keys.last, last.order != key.order || last.prefix != key.prefix {
                return false
            }
            keys.append(key)
            return true
        }
        return keys
    }

    /// The message with this txid; nil if it is not held.
    package func message(_ txid: TxID) throws -> ListedMessage? {
        try synchronise()
        // First settles which copy is shown: that keeps a read message read.
        guard try !index.isContested(txid) else { return try query { try listed(txid) } }
        return try listed(txid)
    }

    private func listed(_ txid: TxID) throws -> ListedMessage? {
        guard let found = try index.find(txid, hash: index.hash(txid)), let copy = found.message,
            let message = try shown(copy)
        else { return nil }
        let number = try conversations.number(of: message.conversationID.utf8, create: false)
        let position = try number.map { try conversations.reading(of: $0).position } ?? .empty
        return ListedMessage(message, isQueued: found.holder.location.isQueued, position: position)
    }

    /// Counts. They are exact unless segments keep arriving and counting would delay them: then entries in memory count
    /// as new, and `unflushed` tells how many they are.
    ///
    /// So a program that polls the progress of a restore every few milliseconds costs it nothing, and gets exact counts
    /// when nothing has arrived between two polls.
    package func stats() throws -> ChatStats {
        try synchronise()
        var totals = try conversations.totals()
        let hasArrived = index.arrived != arrivedAtStats
        arrivedAtStats = index.arrived
        // A flush dirties one leaf per entry, or all leaves.
        let leaves = min(index.tail.count, totals.messages / Limits.messagesPerLeaf)
        if leaves <= Limits.leavesForStats || !hasArrived {
            if let known = countedWithoutRoom { return known }
            totals = try query { try conversations.totals() }
            if lacksRoom {
                countedWithoutRoom = stats(totals, unflushed: 0)
                return stats(totals, unflushed: 0)
            }
        }
        return stats(totals, unflushed: index.tail.count)
    }

    private func stats(_ totals: ConversationTable.Totals, unflushed: Int) -> ChatStats {
        ChatStats(
            messages: totals.messages + (unflushed > 0 ? index.tail.newMessages : 0),
            conversations: totals.conversations, unread: totals.unread, segments: index.segments, queued: queue.count,
            unflushed: unflushed)
    }
}

extension MessageKey {
    /// The greatest key below this one; nil if there is none.
    var predecessor: MessageKey? {
        var key = self
        if location.word > 0 {
            key.location = MessageLocation(word: location.word - 1)
        } else if prefix > 0 {
            key.prefix -= 1
            key.location = MessageLocation(word: 0xffff_ffff_ffff)
        } else if order.word > 0 {
            key.order = MessageOrder(word: order.word - 1)
            key.prefix = .max
            key.location = MessageLocation(word: 0xffff_ffff_ffff)
        } else {
            return nil
        }
        return key
    }
}

/// A message in a listing.
package struct ListedMessage: Sendable, Equatable {
    package var message: ChatMessage
    /// A sent message is always read.
    package var isRead: Bool
    /// True if it is waiting for its segment to be cut.
    package var isQueued: Bool
    package var cursor: MessageCursor

    init(_ message: ChatMessage, isQueued: Bool, position: ReadPosition) {
        self.message = message
        self.isQueued = isQueued
        isRead = message.direction == .sent || position.covers(message)
        cursor = MessageCursor(order: message.order, txid: message.txid)
    }
}

/// A line of the list of conversations.
package struct ConversationSummary: Sendable, Equatable {
    package var conversationID: String
    /// Title, participants and flags; nil if none were set.
    package var details: ConversationDetails?
    /// The contact of the newest message.
    package var contact: String
    package var messages: Int
    package var unread: Int
    /// Number of placeholders: messages that are known to exist, and are not counted in `messages`.
    package var placeholders: Int
    package var lastTxID: TxID?
    /// Milliseconds since 1970; nil if the newest message is in no block.
    package var lastBlockTime: UInt64?
    /// The sender's clock in the newest message, seconds since 1970; nil if there is none.
    package var lastSenderTimestamp: UInt64?
    package var lastReadTxID: TxID?
    package var lastReadBlockTime: UInt64?
    /// The device on which it was read furthest.
    package var lastReadBy: LaneID?

    /// Nil if the user gave none.
    package var title: String? { details?.title.flatMap { $0.value.text.isEmpty ? nil : $0.value.text } }
}

extension ConversationSummary {
    /// A conversation that is known by its placeholders only.
    init(_ missed: StubCount) {
        self.init(
            conversationID: missed.conversationID, contact: missed.contact, messages: 0, unread: 0,
            placeholders: missed.count)
    }
}

/// A copy of a message that is held here.
package struct MessageCopy: Sendable, Equatable {
    package enum Place: Sendable, Equatable {
        /// It is waiting here for its segment to be cut.
        case queue
        /// In the segment whose blob is stored under that arrival.
        case segment(arrival: Int64)
    }

    package let place: Place
    /// Whether this copy is listed.
    package let isShown: Bool
}

extension ChatState {
    /// The copies of a message, starting with the one that is shown.
    package func copies(of txid: TxID) throws -> [MessageCopy] {
        try query {
            let hash = index.hash(txid)
            guard let found = try index.findInTrees(txid, hash: hash), found.message != nil else { return [] }
            let others = try index.copies(hash: hash).filter { location in
                try location != found.holder.location && reader.message(at: location)?.txid == txid
            }
            return [copy(found.holder.location, isShown: true)] + others.map { copy($0, isShown: false) }
        }
    }

    private func copy(_ location: MessageLocation, isShown: Bool) -> MessageCopy {
        MessageCopy(
            place: location.isQueued ? .queue : .segment(arrival: Int64(location.id)), isShown: isShown)
    }
}
