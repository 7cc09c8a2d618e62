import NodeCore

/// Decides which copy of a message the index shows, for entries whose hash is taken already.
///
/// Collects what changes in the trees, and applies it as sorted batches.
struct MessageResolution {
    private let index: MessageIndex
    /// Keys under which the listing still has rows that left the queue.
    private let gone: [Int64: MessageKey]
    private var holders: [UInt64: MessageLocation] = [:]
    /// What the listing is to have for a key: its value, or nil if it is to have nothing.
    private var listing: [MessageKey: UInt64?] = [:]
    private var copies: Set<[UInt8]> = []
    private var removedCopies: Set<[UInt8]> = []
    private var changes: [UInt32: ConversationTable.Change] = [:]
    private var positions: [UInt32: ReadPosition] = [:]
    /// Conversations whose marked message moved: while it could not be read, a count may have taken it for unread.
    private var recounted: Set<UInt32> = []

    init(index: MessageIndex) throws {
        self.index = index
        gone = try index.queue.goneKeys()
    }

    /// Takes in an entry whose hash is in the tree, or came in the same batch.
    mutating func resolve(_ entry: MessageEntry) throws {
        guard let given = try index.reader.message(at: entry.location) else { return }
        guard let location = try holders[entry.hash] ?? index.location(hash: entry.hash) else { return }
        guard location != entry.location else { return }
        let held = try index.reader.message(at: location)
        // Of a row that left the queue the note tells whose it was.
        let isOther = held.map { $0.txid != given.txid } ?? (goneKey(location).map { $0.prefix != entry.key.prefix })
        if isOther == true { return try resolveCollision(entry, given) }
        if try decide(entry, given, against: location, held) { holders[entry.hash] = entry.location }
    }

    private func goneKey(_ location: MessageLocation) -> MessageKey? {
        location.isQueued ? gone[location.queueRow] : nil
    }

    private mutating func resolveCollision(_ entry: MessageEntry, _ given: ChatMessage) throws {
        guard let location = try index.collision(given.txid) else {
            try index.storeCollision(given.txid, hash: entry.hash, entry.location)
            try list(entry.key, entry.timeAndFlags, given.txid)
            return
        }
        guard location != entry.location else { return }
        let held = try index.reader.message(at: location)
        if try decide(entry, given, against: location, held) {
            try index.storeCollision(given.txid, hash: entry.hash, entry.location)
        }
    }

    /// True if the entry replaces what is held.
    private mutating func decide(
        _ entry: MessageEntry, _ given: ChatMessage, against location: MessageLocation, _ held: ChatMessage?
    ) throws -> Bool {
        guard let held else {
            // The row left the queue, or the segment cannot be read: whatever can be read is better.
            var key = entry.key
            key.location = location
            try unlist(goneKey(location) ?? key, given.txid)
            try list(entry.key, entry.timeAndFlags, given.txid)
            return true
        }
        guard given.isPreferred(over: held) else {
            keep(copy: MessageIndex.copyKey(hash: entry.hash, entry.location))
            return false
        }
        if let conversation = try index.conversations.number(of: held.conversationID.utf8, create: false) {
            let key = MessageEntry(held, hash: entry.hash, location: location, conversation: conversation).key
            try unlist(key, held.txid)
        }
        keep(copy: MessageIndex.copyKey(hash: entry.hash, location))
        try list(entry.key, entry.timeAndFlags, given.txid)
        return true
    }

    /// Takes a message out whose segment goes, and puts a copy of it in its place, if there is one.
    mutating func replace(
        _ holder: MessageIndex.Holder, _ entry: MessageEntry, txid: TxID, with replacement: MessageEntry?
    ) throws {
        try unlist(entry.key, txid)
        if let replacement {
            removedCopies.insert(MessageIndex.copyKey(hash: entry.hash, replacement.location))
            try list(replacement.key, replacement.timeAndFlags, txid)
        }
        switch holder {
        case .tail: preconditionFailure("invariant: the tail is flushed before a segment is removed")
        case .collision: try index.storeCollision(txid, hash: entry.hash, replacement?.location)
        case .tree:
            if let location = try replacement?.location ?? index.takeCollided(hash: entry.hash) {
                holders[entry.hash] = location
            } else {
                holders[entry.hash] = nil
                _ = try index.byHash.remove(MessageIndex.sixBytes(entry.hash))
            }
        }
    }

    mutating func remove(copy: [UInt8]) { removedCopies.insert(copy) }

    private mutating func keep(copy: [UInt8]) {
        copies.insert(copy)
        removedCopies.remove(copy)
    }

    // MARK: Listing

    private mutating func list(_ key: MessageKey, _ timeAndFlags: UInt64, _ txid: TxID) throws {
        listing[key] = .some(timeAndFlags)
        try count(key, timeAndFlags, txid, 1)
    }

    private mutating func unlist(_ key: MessageKey, _ txid: TxID) throws {
        let value: UInt64?
        if let pending = listing[key] {
            value = pending
        } else {
            value = try index.byOrder.find(key.bytes).map { bytes in bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        }
        guard let value else { return }
        listing[key] = .some(nil)
        try count(key, value, txid, -1)
    }

    private mutating func count(_ key: MessageKey, _ timeAndFlags: UInt64, _ txid: TxID, _ sign: Int) throws {
        let position = try positions[key.conversation] ?? index.conversations.reading(of: key.conversation).position
        positions[key.conversation] = position
        var change = changes[key.conversation] ?? ConversationTable.Change()
        change.messages += sign
        if timeAndFlags & MessageEntry.receivedFlag != 0 {
            change.received += sign
            if !position.covers(score: key.order.score, txid: txid, time: timeAndFlags >> 8) { change.unread += sign }
        }
        changes[key.conversation] = change
        if let point = position.scorePoint, key.order.score == point.acceptingDaaScore,
            key.prefix == point.txid.storage.w0
        {
            recounted.insert(key.conversation)
        }
    }

    /// Writes all that was decided.
    func apply() throws {
        try applyHolders()
        try applyListing()
        _ = try index.copies.remove(removedCopies.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 })
        try index.copies.insert(copies.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 })
        for (conversation, change) in changes.sorted(by: { $0.key < $1.key }) {
            try index.conversations.apply(change, to: conversation)
            let last = try index.lastEntry(upTo: .last(of: conversation))
            try index.conversations.setLast(last?.key, of: conversation)
            guard recounted.contains(conversation), let position = positions[conversation] else { continue }
            try index.conversations.setUnread(index.recountUnread(of: conversation, position), of: conversation)
        }
    }

    private func applyHolders() throws {
        let sorted = holders.sorted { $0.key < $1.key }
        try index.byHash.insert(
            sorted.flatMap { MessageIndex.sixBytes($0.key) + MessageIndex.sixBytes($0.value.word) })
    }

    private func applyListing() throws {
        let sorted = listing.sorted { $0.key < $1.key }
        _ = try index.byOrder.remove(sorted.filter { $0.value == nil }.flatMap { $0.key.bytes })
        var batch: [UInt8] = []
        for (key, value) in sorted {
            guard let value else { continue }
            batch += key.bytes
            batch += (0..<7).map { UInt8(truncatingIfNeeded: value >> (48 - 8 * UInt64($0))) }
        }
        try index.byOrder.insert(batch)
    }
}
