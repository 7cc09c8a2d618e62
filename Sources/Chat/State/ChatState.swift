package import NodeCore
import SyncState

/// The chat of one account: messages accepted and queued, the content of segments, and read positions.
///
/// Everything works on the database that the replicated store also uses, on its thread, and in the caller's transaction
/// if one is open. Nothing is sent or received here; the caller writes cut segments as records, and reports arriving
/// ones.
///
/// After `Database.rollback` this object rebuilds its memory on its next use.
package final class ChatState {
    let database: Database
    let queue: ArchiveQueue
    let conversations: ConversationTable
    let reader: MessageReader
    let index: MessageIndex
    private let history: MarkerHistory
    /// The read positions of conversations.
    package private(set) lazy var reads = ReadPositions(self, history: history)
    let stubTable: StubTable
    package let newerSegments: NewerSegments
    /// The latest readable payload version.
    let payloadVersion: UInt64
    let codec = SegmentCodec()
    weak var source: (any SegmentSource)?
    /// Opens half of a search's segments; nil to use one thread.
    package weak var worker: (any PairWorker)?
    /// Is notified of changes here.
    var changes: ChangeFeed?
    /// Called for each message when another copy of it arrives.
    package var whenMerged: ((MessageMerge) -> Void)? {
        get { index.whenMerged }
        set { index.whenMerged = newValue }
    }
    /// Places of messages that were sent in one second; nil until one is added.
    var senderOrders: SenderOrders?
    /// Buffer for the scanner's ranges of contacts.
    var contacts: [Range<Int>] = []

    /// The highest arrival when counts were last requested.
    var arrivedAtStats: UInt64 = 0

    /// The device key under which this node writes; it changes with a fresh start.
    package var lane: LaneID {
        didSet { queue.ranking.own = lane }
    }

    /// The index could not be written for lack of room.
    var lacksRoom = false
    /// Unreadable messages that lists have skipped since the start.
    package var unreadable = 0
    /// The counts at that time; nothing changes meanwhile.
    var countedWithoutRoom: ChatStats?

    private var seenRollbacks: UInt64
    var isDerived = false

    /// Opens the chat in a database, creating or migrating its tables.
    ///
    /// - Parameters:
    ///   - queueKey: 32 bytes that seal the queue; of this device only.
    ///   - source: held weakly; used for segments from the first use on, not before.
    ///   - now: the time from which queued messages count as waiting.
    ///   - hashBits: of a txid; tests pass fewer to see collisions.
    ///   - payloadVersion: the latest readable one; tests pass a lower one to act as an older program.
    init(
        database: Database, lane: LaneID, queueKey: Secret, source: any SegmentSource, random: any RandomSource,
        now: MonotonicTime, hashBits: Int = Limits.hashBits, payloadVersion: UInt64 = Limits.payloadVersion
    ) throws {
        try PackedIndex.migrate(database)
        try database.migrate(
            "chat",
            [
                Migration(
                    "messages",
                    sql: [ConversationTable.schema, ArchiveQueue.schema, MessageIndex.schema]
                        .joined(separator: ";\n")),
                Migration(
                    "overlays",
                    sql: [OverlayTable.schema, ConflictTable.schema, ConversationTable.deletionSchema]
                        .joined(separator: ";\n")),
                ConversationTable.sealedDetails,
                NewestMessages.migration,
                ArchiveQueue.withoutPrefixes,
                FarFacts.migration,
                GivenMessages.migration,
            ])
        self.database = database
        self.lane = lane
        self.source = source
        self.payloadVersion = payloadVersion
        var random = random
        newerSegments = try NewerSegments(database: database)
        stubTable = try StubTable(database: database)
        conversations = try ConversationTable(
            database: database, key: queueKey, random: random.split())
        history = try MarkerHistory(database: database)
        queue = try ArchiveQueue(database: database, key: queueKey, random: random, now: now)
        reader = MessageReader(source: source, queue: queue, codec: codec)
        index = try MessageIndex(
            database: database, queue: queue, reader: reader, conversations: conversations, random: &random,
            hashBits: hashBits)
        seenRollbacks = database.rollbackCount
        queue.ranking.own = lane
        queue.hash = { [unowned index] in index.hash($0) }
        try queue.load(indexed: index.flushed.row)
        index.whenMoved = { [unowned self] before, after in
            try reads.keep(before, after)
            // In a query that is undone, nothing changes.
            if !lacksRoom { note(after, shownInsteadOf: before) }
        }
    }

    /// Brings memory in line with the database. Called first by every reader.
    ///
    /// Done on first use, not in `init`: after a kill in the middle of a restore there may be 131,072 messages to read
    /// again, and the node answers before that.
    ///
    /// - Parameter arrival: a segment that is already stored, and still to be processed as an arriving one.
    func synchronise(before arrival: UInt64 = .max) throws {
        try reloadIfRolledBack()
        guard !isDerived else { return }
        isDerived = true
        do {
            try derive(before: arrival)
        } catch {
            isDerived = false
            try index.load()
            throw error
        }
    }

    /// Discards state that a rollback has undone. Cheap, unlike rebuilding the tail: the loop may call it on each turn.
    func reloadIfRolledBack() throws {
        guard seenRollbacks != database.rollbackCount else { return }
        isDerived = false
        conversations.forget()
        reader.forget()
        try stubTable.load()
        try index.load()
        try queue.load(indexed: index.flushed.row)
        seenRollbacks = database.rollbackCount
    }

    /// Fills the tail with what the flushed index lacks: queue rows, then segments.
    private func derive(before bound: UInt64) throws {
        try database.transaction {
            for (row, conversation) in try queue.rows() where row > index.flushed.row {
                guard let message = try queue.message(row: row) else { continue }
                index.tail.append(
                    MessageEntry(
                        message, hash: index.hash(message.txid), location: .queue(row: row),
                        conversation: conversation))
            }
            try source?.forEachSegment(after: index.flushed.arrival) { arrivalID, sealed in
                guard arrivalID < bound else { return false }
                _ = try take(arrivalID, sealed)
                return true
            }
            index.arrived = max(index.arrived, min(source?.latestArrival ?? 0, bound - 1))
            try readNewer()
        }
    }

    /// Reads the segments that an older program could not.
    private func readNewer() throws {
        let readable = try newerSegments.readable(upTo: payloadVersion)
        guard !readable.isEmpty else { return }
        for arrival in readable {
            _ = try source?.withSegment(arrival) { _ = try take(arrival, $0) }
            try newerSegments.forget(arrival)
        }
        // They are below the mark, so they would not be derived again.
        try index.flush()
    }

    /// Merges entries in memory into the index. Every query does so by itself.
    package func flush() throws {
        try synchronise()
        try index.flush()
        try storeNewest()
        noteRoom()
    }

    /// Whether a flush would write anything.
    package var hasUnflushed: Bool { !index.isFlushed || !conversations.newest.lacking.isEmpty }
}

/// Counts of an account's chat.
package struct ChatStats: Sendable, Equatable {
    /// Distinct messages; those in `unflushed` are counted as if all were new.
    package var messages = 0
    package var conversations = 0
    package var unread = 0
    package var segments = 0
    package var queued = 0
    /// Messages in `messages` that the other counts do not include yet.
    package var unflushed = 0
}
