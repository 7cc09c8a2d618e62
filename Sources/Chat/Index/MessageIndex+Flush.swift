import NodeCore
import SyncState

extension MessageIndex {
    /// True if there is nothing to flush.
    var isFlushed: Bool {
        overlays.touchedCount == 0 && !mustSweep
            && tail.entries.isEmpty && arrived == flushed.arrival && flushed.row >= queue.lastRow
    }

    /// Merges the tail into the trees, in the open transaction or in a separate one that does not wait for the disk:
    /// anything lost in a power cut is derived again.
    func flush() throws {
        guard !isFlushed else { return }
        do {
            if database.inTransaction {
                try merge()
            } else {
                try database.setDurable(false)
                defer { try? database.setDurable(true) }
                try database.transaction { try merge() }
            }
        } catch {
            // The tail is partly merged: it is derived again, and the caller cannot commit half of it.
            database.rollback()
            throw error
        }
        tail.removeAll()
    }

    /// Runs in the open transaction. Afterwards the tail is used up, whether or not this throws.
    func merge() throws {
        let contested = try mergeHashes()
        try mergeOrder(without: contested)
        let overlaid = try overlays.touchedOverlays()
        let unswept = try conversations.deletions.unswept()
        var resolution = try MessageResolution(index: self)
        if !contested.isEmpty || !overlaid.isEmpty || !unswept.isEmpty || mustSweep || resolution.hasGone {
            // In order of location, so that each segment is opened once.
            for entry in contested.sorted(by: { $0.entry.location < $1.entry.location }) {
                try resolution.resolve(entry.entry)
            }
            for overlay in overlaid { try resolution.reconsider(overlay) }
            for conversation in unswept { try resolution.sweep(conversation) }
            for conversation in Set(queue.unreadable.values).sorted() {
                try resolution.sweep(conversation) { $0.isQueued && queue.unreadable[$0.queueRow] != nil }
            }
            try resolution.takeOutGone()
            try resolution.apply()
            try overlays.settleTouched()
            if !unswept.isEmpty { try conversations.deletions.noteSwept() }
            mustSweep = false
        }
        try queue.forgetGone()
        try storeMarks()
    }

    /// Takes the messages of a segment out of the trees.
    func takeOut(_ messages: [ChatMessage], of arrivalID: UInt64) throws {
        var resolution = try MessageResolution(index: self)
        var hashes: Set<UInt64> = []
        for (position, message) in messages.enumerated() {
            let hash = hash(message.txid)
            if !hashes.insert(hash).inserted {
                // Removing the other message of this hash may move this one.
                try resolution.apply()
                resolution = try MessageResolution(index: self)
                hashes = [hash]
            }
            let location = MessageLocation.segment(arrivalID, position: position)
            if let found = try findInTrees(message.txid, hash: hash), found.holder.location == location {
                try resolution.replace(
                    found.holder, message, hash: hash, at: location,
                    with: try bestCopy(of: message.txid, hash: hash, besides: arrivalID))
            } else {
                resolution.remove(copy: MessageIndex.copyKey(hash: hash, location))
            }
        }
        try resolution.apply()
    }

    /// Removes from the listing whatever stands in a segment that cannot be read.
    ///
    /// - Returns: whether there was any.
    func takeOut(unreadable arrivalID: UInt64, of conversation: String?) throws -> Bool {
        let number = try conversation.flatMap { try conversations.number(of: $0.utf8, create: false) }
        var resolution = try MessageResolution(index: self)
        let wasListed = try resolution.sweep(number) { !$0.isQueued && $0.id == arrivalID }
        try resolution.apply()
        return wasListed
    }

    /// An entry whose hash is already taken, and its place in the tail.
    private struct Contested {
        var place: Int
        var entry: MessageEntry
    }

    /// Merges new hashes, and returns the entries whose hashes are already taken.
    private func mergeHashes() throws -> [Contested] {
        let sorted = tail.hashesSorted()
        let width = Self.hashLayout.entryBytes
        var contested: [Contested] = []
        // Numbers of six bytes are stored as eight, so the last one needs two more.
        var batch = [UInt8](repeating: 0, count: min(sorted.count, Limits.indexBatch) * width + 2)
        var places: [Int] = []
        var next = 0
        while next < sorted.count {
            places.removeAll(keepingCapacity: true)
            let end = min(next + Limits.indexBatch, sorted.count)
            try batch.withUnsafeMutableBytes { batch in
                for number in next..<end {
                    let place = MessageTail.place(of: sorted[number])
                    let entry = tail.entries[place]
                    if number > 0, MessageTail.hash(of: sorted[number - 1]) == entry.hash {
                        contested.append(Contested(place: place, entry: entry))
                        continue
                    }
                    let offset = places.count * width
                    batch.storeBytes(of: (entry.hash << 16).bigEndian, toByteOffset: offset, as: UInt64.self)
                    batch.storeBytes(
                        of: (entry.location.word << 16).bigEndian, toByteOffset: offset + 6, as: UInt64.self)
                    places.append(place)
                }
                guard let base = UnsafeRawPointer(batch.baseAddress) else { return }
                _ = try byHash.insert(UnsafeRawBufferPointer(start: base, count: places.count * width)) { _, given in
                    let place = places[(given - base) / width]
                    contested.append(Contested(place: place, entry: tail.entries[place]))
                    return .keep
                }
            }
            next = end
        }
        return contested
    }

    /// Merges entries into the listing, and counts them.
    private func mergeOrder(without contested: [Contested]) throws {
        let contested = Set(contested.map(\.place))
        let deleted = try conversations.deletions.through()
        let places = tail.placesByKey { place, entry in
            !contested.contains(place) && deleted[entry.key.conversation].map { entry.time > $0 } ?? true
        }
        let width = MessageKey.layout.entryBytes
        let count = places.count
        var batch = [UInt8](repeating: 0, count: min(count, Limits.indexBatch) * width + 1)
        var next = 0
        while next < count {
            let end = min(next + Limits.indexBatch, count)
            try batch.withUnsafeMutableBytes { batch in
                guard let base = batch.baseAddress else { return }
                for number in next..<end {
                    let entry = tail.entries[Int(places[number])]
                    entry.key.store(at: base + (number - next) * width, timeAndFlags: entry.timeAndFlags)
                }
                try byOrder.insert(UnsafeRawBufferPointer(start: base, count: (end - next) * width))
            }
            next = end
        }
        try self.count(places)
    }

    /// Adds entries to the counters of their conversations, given their places by key.
    private func count(_ places: [Int32]) throws {
        var start = 0
        while start < places.count {
            let conversation = tail.entries[Int(places[start])].key.conversation
            let position = try conversations.reading(of: conversation).position
            var change = ConversationTable.Change()
            var end = start
            while end < places.count {
                let entry = tail.entries[Int(places[end])]
                guard entry.key.conversation == conversation else { break }
                change.messages += 1
                if entry.isReceived {
                    change.received += 1
                    if try isUnread(entry.key, entry.timeAndFlags, position) { change.unread += 1 }
                }
                end += 1
            }
            try conversations.apply(change, to: conversation)
            try conversations.newest.changed(conversation)
            start = end
        }
    }

    /// True if a received message with this key is not covered by the position.
    ///
    /// - Parameter txid: the message's, if known; otherwise the message is opened if its prefix is not sufficient.
    func isUnread(
        _ key: MessageKey, _ timeAndFlags: UInt64, _ position: ReadPosition, txid: TxID? = nil
    ) throws -> Bool {
        guard timeAndFlags & MessageEntry.receivedFlag != 0 else { return false }
        if let time = position.timeMilliseconds, timeAndFlags >> 8 <= time { return false }
        if try isNamed(key, position, txid: txid) { return false }
        guard let point = position.scorePoint, let score = key.order.score else { return true }
        if score != point.acceptingDaaScore { return score > point.acceptingDaaScore }
        let prefix = point.txid.storage.w0
        if key.prefix != prefix { return key.prefix > prefix }
        // The first eight bytes are equal: usually it is the marked message itself, but only the rest can tell.
        guard let txid = try txid ?? reader.message(at: key.location)?.txid else { return true }
        return txid > point.txid
    }

    private func isNamed(_ key: MessageKey, _ position: ReadPosition, txid: TxID?) throws -> Bool {
        guard position.named.contains(where: { $0.storage.w0 == key.prefix }) else { return false }
        // An unreadable message is assumed to be the named one: it is, except for txids made to look alike.
        guard let txid = try txid ?? reader.message(at: key.location)?.txid else { return true }
        return position.named.contains(txid)
    }

    /// The listing of a conversation from a key on, until `visit` returns false.
    ///
    /// - Parameter visit: gets each key, and its time in milliseconds in the upper 56 bits and flags in the lower 8.
    @inline(__always)
    func scan(
        from start: MessageKey, descending: Bool = false, _ visit: (MessageKey, UInt64) throws -> Bool
    ) throws {
        try byOrder.scan(from: start.bytes, descending: descending) { entry in
            let key = MessageKey(loading: entry)
            return try key.conversation == start.conversation && visit(key, MessageKey.timeAndFlags(loading: entry))
        }
    }

    /// Recounts a conversation's unread messages, from the entries above the position.
    func recountUnread(of conversation: UInt32, _ position: ReadPosition) throws -> Int {
        let start =
            position.scorePoint.map { Self.firstKey(at: $0, of: conversation) } ?? .first(of: conversation)
        var unread = 0
        try scan(from: start) { key, timeAndFlags in
            if try isUnread(key, timeAndFlags, position) { unread += 1 }
            return true
        }
        return unread
    }

    /// The location of a conversation's latest message by time, chosen from the last message with a score, the last one
    /// that is only in a block, and the last one in neither. The list of messages puts those never seen in a block
    /// after all others, however old they are.
    func newest(of conversation: UInt32) throws -> MessageLocation? {
        var newest: (location: MessageLocation, time: UInt64)?
        var bound: MessageKey? = .last(of: conversation)
        while let high = bound, let (key, timeAndFlags) = try lastEntry(upTo: high) {
            if newest.map({ $0.time < timeAndFlags >> 8 }) ?? true { newest = (key.location, timeAndFlags >> 8) }
            let below = key.order.word >> 62
            bound = below == 0 ? nil : .last(of: conversation, upTo: MessageOrder(word: below << 62 - 1))
        }
        return newest?.location
    }

    /// The greatest key of a conversation below or at `bound`, and its time and flags.
    func lastEntry(upTo bound: MessageKey) throws -> (key: MessageKey, timeAndFlags: UInt64)? {
        var found: (MessageKey, UInt64)?
        try scan(from: bound, descending: true) { key, timeAndFlags in
            found = (key, timeAndFlags)
            return false
        }
        return found
    }
}
