package import NodeCore
import SyncState

/// Decides which copy of a message the index shows, for entries whose hash is already taken, and where overlays place
/// messages.
///
/// Collects the changes of the trees, and applies them as sorted batches.
struct MessageResolution {
    let index: MessageIndex
    /// Keys under which the listing still has rows that left the queue.
    private let gone: [Int64: MessageKey]
    private var holders: [UInt64: MessageLocation] = [:]
    /// The new value for a key of the listing, or nil to remove the key.
    private var listing: [MessageKey: UInt64?] = [:]
    private var overlays: [TxID: MessageOverlay] = [:]
    private var copies: Set<[UInt8]> = []
    private var removedCopies: Set<[UInt8]> = []
    private var changes: [UInt32: ConversationTable.Change] = [:]
    private var positions: [UInt32: ReadPosition] = [:]
    /// Conversations whose marked message moved: while it was unreadable, it may have been counted as unread.
    private var recounted: Set<UInt32> = []
    /// Messages that are now shown by another copy.
    private var moved: [TxID: (before: ChatMessage, after: ChatMessage)] = [:]

    init(index: MessageIndex) throws {
        self.index = index
        gone = try index.queue.goneKeys()
    }

    /// Processes an entry whose hash is in the tree, or came in the same batch.
    mutating func resolve(_ entry: MessageEntry) throws {
        guard let given = try index.reader.message(at: entry.location) else { return }
        guard let location = try holders[entry.hash] ?? index.location(hash: entry.hash) else { return }
        guard location != entry.location else { return }
        if location == .nowhere {
            try list(given, hash: entry.hash, at: entry.location)
            holders[entry.hash] = entry.location
            return
        }
        let held = try index.reader.message(at: location)
        // For a row that left the queue, the note tells whose it was.
        let isOther = held.map { $0.txid != given.txid } ?? (goneKey(location).map { $0.prefix != entry.key.prefix })
        if isOther == true { return try resolveCollision(entry, given) }
        if try decide(entry, given, against: location, held) { holders[entry.hash] = entry.location }
    }

    private func goneKey(_ location: MessageLocation) -> MessageKey? {
        location.isQueued ? gone[location.queueRow] : nil
    }

    private mutating func resolveCollision(_ entry: MessageEntry, _ given: ChatMessage) throws {
        guard let location = try index.collisions.location(of: given.txid) else {
            try index.collisions.put(given.txid, hash: entry.hash, entry.location)
            try list(given, hash: entry.hash, at: entry.location)
            return
        }
        guard location != entry.location else { return }
        let held = try index.reader.message(at: location)
        if try decide(entry, given, against: location, held) {
            try index.collisions.put(given.txid, hash: entry.hash, entry.location)
        }
    }

    /// True if the entry replaces what is held.
    private mutating func decide(
        _ entry: MessageEntry, _ given: ChatMessage, against location: MessageLocation, _ held: ChatMessage?
    ) throws -> Bool {
        guard let held else {
            // The row left the queue, or the segment is unreadable: any readable copy is better.
            var key = entry.key
            key.location = location
            try unlist(given.txid, hash: entry.hash, else: goneKey(location) ?? key)
            try list(given, hash: entry.hash, at: entry.location)
            return true
        }
        if given.hasContent, held.hasContent, given.contentBytes != held.contentBytes {
            try index.conflicts.note(given.txid)
        }
        let isGivenShown = given.isPreferred(over: held)
        if let whenMerged = index.whenMerged {
            whenMerged(MessageMerge(held: held, given: given, isGivenShown: isGivenShown))
        }
        guard isGivenShown else {
            keep(copy: MessageIndex.copyKey(hash: entry.hash, entry.location))
            return false
        }
        try note(held, at: location, replacedBy: given, hash: entry.hash)
        try unlist(held, hash: entry.hash, at: location)
        keep(copy: MessageIndex.copyKey(hash: entry.hash, location))
        try list(given, hash: entry.hash, at: entry.location)
        return true
    }

    /// Removes a message whose segment is removed, and replaces it by another copy if there is one.
    mutating func replace(
        _ holder: MessageIndex.Holder, _ message: ChatMessage, hash: UInt64, at location: MessageLocation,
        with replacement: (message: ChatMessage, location: MessageLocation)?
    ) throws {
        try unlist(message, hash: hash, at: location)
        if let replacement {
            try note(message, at: location, replacedBy: replacement.message, hash: hash)
            removedCopies.insert(MessageIndex.copyKey(hash: hash, replacement.location))
            try list(replacement.message, hash: hash, at: replacement.location)
        }
        switch holder {
        case .tail: preconditionFailure("invariant: the tail is flushed before a segment is removed")
        case .collision: try index.collisions.put(message.txid, hash: hash, replacement?.location)
        case .tree: try setHolder(replacement?.location, hash: hash)
        }
    }

    /// Only messages listed before this flush may have been shown.
    private mutating func note(
        _ held: ChatMessage, at location: MessageLocation, replacedBy given: ChatMessage, hash: UInt64
    ) throws {
        let first = moved[held.txid]?.before
        guard first != nil || index.wasMerged(location) else { return }
        let overlay = try overlay(of: held.txid, hash: hash)
        guard let before = overlay.shown(held), let after = overlay.shown(given) else { return }
        moved[held.txid] = (first ?? before, after)
    }

    private mutating func setHolder(_ location: MessageLocation?, hash: UInt64) throws {
        if let location = try location ?? index.collisions.takeOne(hash: hash) {
            holders[hash] = location
        } else if try index.overlays.hasAny(hash: hash) {
            // A message that arrives under this hash must meet the overlay.
            holders[hash] = .nowhere
        } else {
            holders[hash] = nil
            _ = try index.byHash.remove(MessageIndex.sixBytes(hash))
        }
    }

    /// Moves a message to where its changed overlay places it.
    mutating func reconsider(_ changed: MessageOverlay) throws {
        let (txid, hash) = (changed.txid, changed.hash)
        if overlays[txid] == nil { overlays[txid] = changed }
        guard let location = try holders[hash] ?? index.location(hash: hash), location != .nowhere else {
            // Copies that were ignored while the message was in the queue may still be there.
            let best = try reconsider(nil, txid: txid, hash: hash, at: .queue(row: 0))
            holders[hash] = best ?? .nowhere
            return
        }
        let copy = try index.reader.message(at: location)
        // For a row that left the queue, the note tells whose it was; for an unreadable segment nothing can.
        let isHolder = copy.map { $0.txid == txid } ?? (goneKey(location).map { $0.prefix == txid.storage.w0 })
        if isHolder != true, let other = try index.collisions.location(of: txid) {
            let best = try reconsider(index.reader.message(at: other), txid: txid, hash: hash, at: other)
            if best != other { try index.collisions.put(txid, hash: hash, best) }
        } else if isHolder == true || (isHolder == nil && location.isQueued) {
            let best = try reconsider(copy, txid: txid, hash: hash, at: location)
            if best != location { try setHolder(best, hash: hash) }
        } else if isHolder == false {
            try noteUnlisted(txid, hash: hash)
        }
    }

    /// - Returns: the message's new location; nil if no copy is held.
    private mutating func reconsider(
        _ copy: ChatMessage?, txid: TxID, hash: UInt64, at location: MessageLocation
    ) throws -> MessageLocation? {
        if let copy {
            try unlist(copy, hash: hash, at: location)
            try list(copy, hash: hash, at: location)
            return location
        }
        guard location.isQueued else { return location }
        if let gone = goneKey(location) { try unlist(txid, hash: hash, else: gone) }
        guard let best = try index.bestCopy(of: txid, hash: hash) else {
            try noteUnlisted(txid, hash: hash)
            return nil
        }
        removedCopies.insert(MessageIndex.copyKey(hash: hash, best.location))
        try list(best.message, hash: hash, at: best.location)
        return best.location
    }

    /// Removes everything from the listing that a conversation's deletion covers.
    mutating func sweep(_ conversation: UInt32) throws {
        guard let through = try index.conversations.deletions.through()[conversation] else { return }
        var found: [MessageKey] = []
        try index.scan(from: .first(of: conversation)) { key, timeAndFlags in
            if timeAndFlags >> 8 <= through { found.append(key) }
            return true
        }
        for key in found { try takeOut(key) }
    }

    /// Removes from the listing whatever of a conversation, or of all, stands where it cannot be read.
    ///
    /// - Returns: whether there was any.
    @discardableResult
    mutating func sweep(_ conversation: UInt32?, where isUnreadable: (MessageLocation) -> Bool) throws -> Bool {
        var found: [MessageKey] = []
        try index.byOrder.scan(from: MessageKey.first(of: conversation ?? 0).bytes) { entry in
            let key = MessageKey(loading: entry)
            guard conversation == nil || key.conversation == conversation else { return false }
            if isUnreadable(key.location) { found.append(key) }
            return true
        }
        for key in found { try takeOut(key) }
        return !found.isEmpty
    }

    /// Lists a message again if its conversation's deletion now reaches less far, and this copy of it is the shown one.
    mutating func relist(_ copy: ChatMessage, at location: MessageLocation) throws {
        let hash = index.hash(copy.txid)
        guard try index.findInTrees(copy.txid, hash: hash)?.holder.location == location else { return }
        try unlist(copy, hash: hash, at: location)
        try list(copy, hash: hash, at: location)
    }

    /// Rows left the queue that the listing may still have.
    var hasGone: Bool { !gone.isEmpty }

    /// Removes such rows from the listing: those whose segment is not readable were not replaced.
    mutating func takeOutGone() throws {
        for (_, key) in gone.sorted(by: { $0.key < $1.key }) { try takeOut(key) }
    }

    mutating func remove(copy: [UInt8]) { removedCopies.insert(copy) }

    private mutating func keep(copy: [UInt8]) {
        copies.insert(copy)
        removedCopies.remove(copy)
    }

    // MARK: Listing

    private mutating func overlay(of txid: TxID, hash: UInt64) throws -> MessageOverlay? {
        if let known = overlays[txid] { return known }
        let found = try index.overlays.find(txid, hash: hash)
        if let found { overlays[txid] = found }
        return found
    }

    private mutating func noteUnlisted(_ txid: TxID, hash: UInt64) throws {
        if try overlay(of: txid, hash: hash) != nil { overlays[txid]?.listing = .nowhere }
    }

    /// Lists a copy with its overlay applied, unless it is deleted.
    private mutating func list(_ copy: ChatMessage, hash: UInt64, at location: MessageLocation) throws {
        let overlay = try overlay(of: copy.txid, hash: hash)
        guard let entry = try index.shown(copy, overlay, hash: hash, at: location) else {
            return try noteUnlisted(copy.txid, hash: hash)
        }
        if overlay != nil { overlays[copy.txid]?.listing = .at(entry.key) }
        listing[entry.key] = .some(entry.timeAndFlags)
        try count(entry.key, entry.timeAndFlags, 1, copy.txid)
    }

    private mutating func unlist(_ copy: ChatMessage, hash: UInt64, at location: MessageLocation) throws {
        guard let conversation = try index.conversations.number(of: copy.conversationID.utf8, create: false) else {
            return
        }
        try unlist(
            copy.txid, hash: hash,
            else: MessageEntry(copy, hash: hash, location: location, conversation: conversation).key)
    }

    /// Removes a message from the listing: at the position given by its overlay, otherwise at `key`.
    private mutating func unlist(_ txid: TxID, hash: UInt64, else key: MessageKey) throws {
        switch try overlay(of: txid, hash: hash)?.listing {
        case .at(let listed): try takeOut(listed, txid)
        case .nowhere: break
        case .asCopy, nil: try takeOut(key, txid)
        }
        try noteUnlisted(txid, hash: hash)
    }

    private mutating func takeOut(_ key: MessageKey, _ txid: TxID? = nil) throws {
        let value: UInt64?
        if let pending = listing[key] {
            value = pending
        } else {
            value = try index.listedValue(of: key)
        }
        guard let value else { return }
        listing[key] = .some(nil)
        try count(key, value, -1, txid)
    }

    private mutating func count(_ key: MessageKey, _ timeAndFlags: UInt64, _ sign: Int, _ txid: TxID?) throws {
        let position = try positions[key.conversation] ?? index.conversations.reading(of: key.conversation).position
        positions[key.conversation] = position
        var change = changes[key.conversation] ?? ConversationTable.Change()
        change.messages += sign
        if timeAndFlags & MessageEntry.receivedFlag != 0 {
            change.received += sign
            if try index.isUnread(key, timeAndFlags, position, txid: txid) { change.unread += sign }
        }
        changes[key.conversation] = change
        // At the mark only the whole txid can tell, and the message may be unreadable by now.
        if let point = position.scorePoint, key.order.score == point.acceptingDaaScore,
            key.prefix == point.txid.storage.w0
        {
            recounted.insert(key.conversation)
        }
    }

    /// Writes all decisions.
    func apply() throws {
        try applyHolders()
        try applyListing()
        for overlay in overlays.values.sorted(by: { $0.txid < $1.txid }) { try index.overlays.noteListing(of: overlay) }
        _ = try index.copies.remove(removedCopies.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 })
        try index.copies.insert(copies.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 })
        for (conversation, change) in changes.sorted(by: { $0.key < $1.key }) {
            try index.conversations.apply(change, to: conversation)
            try index.conversations.newest.changed(conversation)
            guard recounted.contains(conversation), let position = positions[conversation] else { continue }
            try index.conversations.setUnread(index.recountUnread(of: conversation, position), of: conversation)
        }
        for (_, (before, after)) in moved.sorted(by: { $0.key < $1.key }) { try index.whenMoved?(before, after) }
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

/// Two copies of one message met: the fields of each, and which is now shown. Contains no text of the message, so that
/// it can be logged.
package struct MessageMerge: Sendable, Equatable {
    package struct Side: Sendable, Equatable {
        package let bodyBytes: Int
        package let attachments: Int
        package let status: String
        package let acceptingDaaScore: UInt64?
        /// Milliseconds since 1970.
        package let blockTime: UInt64?

        init(_ message: ChatMessage) {
            bodyBytes = message.body.utf8.count
            attachments = message.attachments.count
            status = message.status.name
            acceptingDaaScore = message.acceptingDaaScore
            blockTime = message.blockTime
        }
    }

    package let txid: TxID
    /// The copy that was shown before.
    package let held: Side
    /// The copy that arrived.
    package let given: Side
    /// Whether the sender's content is the same.
    package let isSameContent: Bool
    package let isGivenShown: Bool

    init(held: ChatMessage, given: ChatMessage, isGivenShown: Bool) {
        txid = given.txid
        self.held = Side(held)
        self.given = Side(given)
        isSameContent = held.contentBytes == given.contentBytes
        self.isGivenShown = isGivenShown
    }
}
