import NodeCore

extension MessageIndex {
    /// True if there is nothing to flush.
    var isFlushed: Bool {
        tail.entries.isEmpty && arrived == flushedArrival && flushedRow >= queue.lastRow
    }

    /// Merges the tail into the trees. In the transaction that is open, or in one of its own that does not wait for
    /// the disk: what a power cut takes of it is derived anew.
    func flush() throws {
        guard !isFlushed else { return }
        if database.inTransaction {
            try merge()
        } else {
            try database.setDurable(false)
            defer { try? database.setDurable(true) }
            try database.transaction { try merge() }
        }
        tail.removeAll()
    }

    private func merge() throws {
        let contested = try mergeHashes()
        try mergeOrder(without: contested)
        if !contested.isEmpty {
            var resolution = try MessageResolution(index: self)
            // By location, so that each segment is opened once.
            for place in contested.sorted(by: { tail.entries[$0].location < tail.entries[$1].location }) {
                try resolution.resolve(tail.entries[place])
            }
            try resolution.apply()
        }
        try queue.forgetGone()
        try storeMarks()
    }

    /// Merges hashes that are new, and returns the places of the entries whose hashes are not.
    private func mergeHashes() throws -> [Int] {
        let sorted = hashesSorted()
        let width = Self.hashLayout.entryBytes
        var contested: [Int] = []
        var places: [Int32] = []
        places.reserveCapacity(sorted.count)
        // Numbers of six bytes are stored as eight: the last one needs two more.
        var batch = [UInt8](repeating: 0, count: sorted.count * width + 2)
        batch.withUnsafeMutableBytes { batch in
            var previous: UInt64?
            for item in sorted {
                let place = Int(item.place)
                if item.hash == previous {
                    contested.append(place)
                    continue
                }
                previous = item.hash
                let offset = places.count * width
                batch.storeBytes(of: (item.hash << 16).bigEndian, toByteOffset: offset, as: UInt64.self)
                let location = tail.entries[place].location.word
                batch.storeBytes(of: (location << 16).bigEndian, toByteOffset: offset + 6, as: UInt64.self)
                places.append(item.place)
            }
        }
        try batch.withUnsafeBytes { batch in
            guard let base = batch.baseAddress else { return }
            let entries = UnsafeRawBufferPointer(start: base, count: places.count * width)
            _ = try byHash.insert(entries) { _, given in
                contested.append(Int(places[(given - base) / width]))
                return .keep
            }
        }
        return contested
    }

    private struct HashedPlace {
        var hash: UInt64
        var place: Int32
    }

    private func hashesSorted() -> [HashedPlace] {
        var hashed: [HashedPlace] = []
        hashed.reserveCapacity(tail.entries.count)
        for (place, entry) in tail.entries.enumerated() where !tail.dead.contains(place) {
            hashed.append(HashedPlace(hash: entry.hash, place: Int32(place)))
        }
        hashed.sort { ($0.hash, $0.place) < ($1.hash, $1.place) }
        return hashed
    }

    /// Merges entries into the listing, and counts them.
    private func mergeOrder(without contested: [Int]) throws {
        var left = tail.dead
        left.formUnion(contested)
        var entries: [MessageEntry]
        if left.isEmpty {
            entries = tail.entries
        } else {
            entries = tail.entries.indices.filter { !left.contains($0) }.map { tail.entries[$0] }
        }
        entries.sort { $0.key < $1.key }
        let width = MessageKey.layout.entryBytes
        var batch = [UInt8](repeating: 0, count: entries.count * width + 1)
        batch.withUnsafeMutableBytes { batch in
            guard let base = batch.baseAddress else { return }
            for (number, entry) in entries.enumerated() {
                entry.key.store(at: base + number * width, timeAndFlags: entry.timeAndFlags)
            }
        }
        _ = try batch.withUnsafeBytes { batch in
            try byOrder.insert(UnsafeRawBufferPointer(rebasing: batch[..<(entries.count * width)]))
        }
        try count(entries)
    }

    /// Adds entries, sorted by key, to the counters of their conversations.
    private func count(_ entries: [MessageEntry]) throws {
        var start = 0
        while start < entries.count {
            let conversation = entries[start].key.conversation
            let position = try conversations.reading(of: conversation).position
            var change = ConversationTable.Change()
            var end = start
            while end < entries.count, entries[end].key.conversation == conversation {
                let entry = entries[end]
                change.messages += 1
                if entry.isReceived {
                    change.received += 1
                    if try isUnread(entry.key, entry.timeAndFlags, position) { change.unread += 1 }
                }
                end += 1
            }
            change.last = entries[end - 1].key.bytes
            try conversations.apply(change, to: conversation)
            start = end
        }
    }

    /// True if a received message with this key is not covered by the position.
    func isUnread(_ key: MessageKey, _ timeAndFlags: UInt64, _ position: ReadPosition) throws -> Bool {
        guard timeAndFlags & MessageEntry.receivedFlag != 0 else { return false }
        if let time = position.timeMilliseconds, timeAndFlags >> 8 <= time { return false }
        guard let point = position.scorePoint, let score = key.order.score else { return true }
        if score != point.acceptingDaaScore { return score > point.acceptingDaaScore }
        let prefix = point.txid.storage.w0
        if key.prefix != prefix { return key.prefix > prefix }
        // The first eight bytes are equal: mostly the marked message itself, but only the rest tells.
        guard let message = try reader.message(at: key.location) else { return true }
        return message.txid > point.txid
    }

    /// Counts the unread messages of a conversation anew, from the entries above the position.
    func recountUnread(of conversation: UInt32, _ position: ReadPosition) throws -> Int {
        var start = MessageKey.first(of: conversation)
        if let point = position.scorePoint {
            start = .first(of: conversation, from: MessageOrder(word: point.acceptingDaaScore))
            start.prefix = point.txid.storage.w0
        }
        var unread = 0
        try byOrder.scan(from: start.bytes) { entry in
            let key = MessageKey(loading: entry)
            guard key.conversation == conversation else { return false }
            if try isUnread(key, MessageKey.timeAndFlags(loading: entry), position) { unread += 1 }
            return true
        }
        return unread
    }

    /// The greatest key of a conversation below or at `bound`, and its time and flags.
    func lastEntry(upTo bound: MessageKey) throws -> (key: MessageKey, timeAndFlags: UInt64)? {
        var found: (MessageKey, UInt64)?
        try byOrder.scan(from: bound.bytes, descending: true) { entry in
            let key = MessageKey(loading: entry)
            if key.conversation == bound.conversation { found = (key, MessageKey.timeAndFlags(loading: entry)) }
            return false
        }
        return found
    }
}
