import NodeCore
import SyncState

/// Finds messages by txid and lists them in order, without storing copies.
///
/// Entries are collected in memory (`MessageTail`) and merged into packed trees by `flush`, in one transaction together
/// with the counters and the mark up to which segments are indexed. After a crash, entries that were only in memory are
/// derived again from the queue and the segments above the mark.
final class MessageIndex {
    /// Hash (6 bytes) → location (6).
    static let hashLayout = PackedLayout(keyBytes: 6, valueBytes: 6)
    /// Hash (6), location (6), no value.
    static let copyLayout = PackedLayout(keyBytes: 12, valueBytes: 0)

    static let schema = """
        CREATE TABLE chat_state(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE chat_key(id INTEGER PRIMARY KEY CHECK(id = 1), key BLOB NOT NULL);
        CREATE TABLE txid_collision(
            txid BLOB PRIMARY KEY, hash INTEGER NOT NULL, location INTEGER NOT NULL) WITHOUT ROWID
        """

    let database: Database
    let queue: ArchiveQueue
    let reader: MessageReader
    let conversations: ConversationTable
    let byHash: PackedIndex
    let byOrder: PackedIndex
    let copies: PackedIndex
    let overlays: OverlayTable
    let conflicts: ConflictTable
    let collisions: CollisionTable
    var tail = MessageTail()

    let hashKey: HashKey
    /// Fewer bits in tests, to provoke collisions.
    private let hashMask: UInt64

    /// The highest arrival id among indexed segments.
    var arrived: UInt64 = 0
    /// How much of the input the trees hold.
    private(set) var flushed = IndexMarks()
    /// Whether conversations were deleted further than the listing knows, or queued messages cannot be read.
    var mustSweep = false
    /// Called for messages that are now shown by another copy, after the trees are updated.
    var whenMoved: ((_ before: ChatMessage, _ after: ChatMessage) throws -> Void)?
    /// Called for each message when another copy of it arrives. Repeated if a turn is rolled back.
    var whenMerged: ((MessageMerge) -> Void)?
    /// Number of segments indexed, in the trees or in the tail.
    var segments = 0

    private let marks: MarkTable

    init(
        database: Database, queue: ArchiveQueue, reader: MessageReader, conversations: ConversationTable,
        random: inout any RandomSource, hashBits: Int
    ) throws {
        self.database = database
        self.queue = queue
        self.reader = reader
        self.conversations = conversations
        hashMask = (1 << UInt64(hashBits)) - 1
        byHash = try PackedIndex(database: database, tree: PackedTree.messageByTxid, layout: Self.hashLayout)
        byOrder = try PackedIndex(database: database, tree: PackedTree.messageOrder, layout: MessageKey.layout)
        copies = try PackedIndex(database: database, tree: PackedTree.messageCopies, layout: Self.copyLayout)
        overlays = try OverlayTable(database)
        conflicts = try ConflictTable(database)
        collisions = try CollisionTable(database)
        marks = try MarkTable(database)
        let stored = try HashKey(storedIn: database)
        hashKey = stored ?? HashKey(random: &random)
        var isEmpty = true
        try byOrder.scan { _ in
            isEmpty = false
            return false
        }
        // Entries under another key are derived again by the next scrub, which then stores this one.
        if stored == nil, isEmpty { try hashKey.store(in: database) }
        try load()
    }

    /// Discards the tail and reads the marks again: at the start, and after a rollback.
    func load() throws {
        tail.removeAll()
        try overlays.load()
        mustSweep = try !conversations.deletions.unswept().isEmpty || !queue.unreadable.isEmpty
        flushed = try marks.load()
        segments = flushed.segments
        arrived = flushed.arrival
    }

    /// Whether the trees already contained this location before the current merge.
    func wasMerged(_ location: MessageLocation) -> Bool {
        location.isQueued ? location.queueRow <= flushed.row : location.id <= flushed.arrival
    }

    func storeMarks() throws {
        let reached = IndexMarks(arrival: arrived, row: queue.lastRow, segments: segments)
        try marks.store(reached)
        flushed = reached
    }

    /// Merges the entries in memory while `body` runs. The caller undoes the writes.
    func whileMerged<T>(_ body: () throws -> T) throws -> T {
        let saved = (tail, flushed)
        let unmerged = (overlays.touchedCount, mustSweep)
        defer {
            (tail, flushed) = saved
            (overlays.touchedCount, mustSweep) = unmerged
        }
        try merge()
        tail.removeAll()
        return try body()
    }

    /// The hash of the txid stored at `txid`.
    @inline(__always)
    func hash(_ txid: UnsafeRawPointer) -> UInt64 {
        let bytes = UnsafeRawBufferPointer(start: txid, count: TxID.byteCount)
        return SipHash.hash64(bytes, key: hashKey.bytes) & hashMask
    }

    func hash(_ txid: TxID) -> UInt64 { txid.withUnsafeBytes { $0.baseAddress.map { hash($0) } ?? 0 } }
}

// MARK: - Finding

extension MessageIndex {
    /// The place of a message in the index.
    enum Holder {
        case tail(place: Int, MessageLocation)
        case tree(MessageLocation)
        case collision(MessageLocation)

        var location: MessageLocation {
            switch self {
            case .tail(_, let location), .tree(let location), .collision(let location): location
            }
        }
    }

    /// The holder of a txid, and the preferred copy; nil if there is none. The message is nil if it cannot be read. Its
    /// overlay is not applied.
    func find(_ txid: TxID, hash: UInt64) throws -> (holder: Holder, message: ChatMessage?)? {
        var best = try findInTrees(txid, hash: hash)
        for place in tail.places(hash: hash, prefix: txid.storage.w0) {
            let location = tail.entries[place].location
            let message = try reader.message(at: location)
            if let message, let held = best?.message, !message.isPreferred(over: held) { continue }
            if message == nil, best != nil { continue }
            best = (.tail(place: place, location), message)
        }
        return best
    }

    /// Whether a message has a copy in memory and may have another one.
    func isContested(_ txid: TxID) throws -> Bool {
        let hash = hash(txid)
        let places = tail.places(hash: hash, prefix: txid.storage.w0)
        if places.isEmpty { return false }
        return try places.count > 1 || location(hash: hash) != nil
    }

    func findInTrees(_ txid: TxID, hash: UInt64) throws -> (holder: Holder, message: ChatMessage?)? {
        guard let location = try location(hash: hash), location != .nowhere else { return nil }
        let message = try reader.message(at: location)
        if message?.txid == txid { return (.tree(location), message) }
        if let collided = try collisions.location(of: txid) {
            return (.collision(collided), try reader.message(at: collided))
        }
        return message == nil ? (.tree(location), nil) : nil
    }

    /// The location for a hash in the tree.
    func location(hash: UInt64) throws -> MessageLocation? {
        try withUnsafeBytes(of: (hash << 16).bigEndian) { key in
            try byHash.find(UnsafeRawBufferPointer(rebasing: key[..<6])) { value in
                MessageLocation(word: Self.loadSixBytes(value))
            }
        }
    }

    private static func loadSixBytes(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        bytes.prefix(6).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether the copy that is held, or one that is still in memory, has the same content.
    func holdsContent(of message: ChatMessage) throws -> Bool {
        let hash = hash(message.txid)
        for place in tail.places(hash: hash, prefix: message.txid.storage.w0) {
            let copy = try reader.message(at: tail.entries[place].location)
            if let copy, copy.txid == message.txid, copy.saysAll(of: message) { return true }
        }
        return try find(message.txid, hash: hash)?.message?.saysAll(of: message) ?? false
    }

    /// Whether a copy of equal content is held.
    ///
    /// - Parameter shown: the preferred copy. No other one is in memory.
    func holds(_ message: ChatMessage, hash: UInt64, besides shown: ChatMessage) throws -> Bool {
        try shown.saysAll(of: message)
            || copies(hash: hash).contains { location in
                guard let copy = try reader.message(at: location) else { return false }
                return copy.txid == message.txid && copy.saysAll(of: message)
            }
    }

    /// The preferred one of the further copies of a message, without those of one segment.
    func bestCopy(
        of txid: TxID, hash: UInt64, besides arrivalID: UInt64? = nil
    ) throws -> (message: ChatMessage, location: MessageLocation)? {
        var best: (message: ChatMessage, location: MessageLocation)?
        for location in try copies(hash: hash) where location.isQueued || location.id != arrivalID {
            guard let message = try reader.message(at: location), message.txid == txid else { continue }
            if let best, !message.isPreferred(over: best.message) { continue }
            best = (message, location)
        }
        return best
    }

    /// The entry under which a copy is listed; nil if the message is deleted.
    func shown(
        _ copy: ChatMessage, _ overlay: MessageOverlay?, hash: UInt64, at location: MessageLocation
    ) throws -> MessageEntry? {
        guard let message = overlay.shown(copy),
            let conversation = try conversations.number(of: copy.conversationID.utf8, create: true)
        else { return nil }
        var entry = MessageEntry(message, hash: hash, location: location, conversation: conversation)
        if overlay?.fact != nil { entry.timeAndFlags |= MessageEntry.overlaidFlag }
        if let through = try conversations.deletions.through()[conversation], entry.time <= through { return nil }
        return entry
    }

    /// Locations of further copies of messages with this hash, ascending.
    func copies(hash: UInt64) throws -> [MessageLocation] {
        var found: [MessageLocation] = []
        let head = Self.copyKey(hash: hash, MessageLocation(word: 0))
        try copies.scan(from: head) { entry in
            guard Self.loadSixBytes(UnsafeRawBufferPointer(start: entry, count: 6)) == hash else { return false }
            found.append(
                MessageLocation(word: Self.loadSixBytes(UnsafeRawBufferPointer(start: entry + 6, count: 6))))
            return true
        }
        return found
    }

    static func copyKey(hash: UInt64, _ location: MessageLocation) -> [UInt8] {
        sixBytes(hash) + sixBytes(location.word)
    }

    static func sixBytes(_ value: UInt64) -> [UInt8] {
        (0..<6).map { UInt8(truncatingIfNeeded: value >> (40 - 8 * UInt64($0))) }
    }
}
