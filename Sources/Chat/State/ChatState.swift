package import NodeCore
package import SyncState

/// The chat of one account: what was accepted and is queued, what the segments hold, and how far it was read.
///
/// Everything works on the database that the replicated store also uses, on its thread, in the caller's transaction
/// where one is open. Nothing here is sent or received; the caller writes what is cut as records, and tells what
/// arrives.
///
/// After `Database.rollback` the memory of this object is derived anew at its next use.
package final class ChatState {
    let database: Database
    let queue: ArchiveQueue
    let conversations: ConversationTable
    let reader: MessageReader
    let index: MessageIndex
    private let history: MarkerHistory
    /// How far conversations were read.
    package private(set) lazy var reads = ReadPositions(self, history: history)
    let stubTable: StubTable
    let newerSegments: NewerSegments
    /// The latest version of payloads that is read.
    let payloadVersion: UInt64
    let codec = SegmentCodec()
    weak var source: (any SegmentSource)?
    /// Takes half of what a search opens; nil where one thread does all.
    package weak var worker: (any PairWorker)?
    /// What is told of changes here.
    var changes: ChangeFeed?
    /// Places of messages that were sent in one second; nil until one is added.
    var senderOrders: SenderOrders?
    /// Lent to the scanner for the places of contacts.
    var contacts: [Range<Int>] = []

    /// How far segments had arrived when counts were asked for the last time.
    var arrivedAtStats: UInt64 = 0

    /// The device key under which this node writes; a node that starts afresh gets another.
    package var lane: LaneID {
        didSet { queue.ranking.own = lane }
    }

    /// The index could not be written for want of room.
    var lacksRoom = false
    /// Messages that lists have passed over since the start, since they could not be read.
    package var unreadable = 0
    /// The counts since then, during which nothing changes.
    var countedWithoutRoom: ChatStats?

    private var seenRollbacks: UInt64
    var isDerived = false

    /// The chat in a database, whose tables are made or brought forward.
    ///
    /// - Parameters:
    ///   - queueKey: 32 bytes that seal the queue; of this device only.
    ///   - source: kept weakly; asked for segments from the first use on, not before.
    ///   - now: the time from which what is queued is counted as waiting.
    package convenience init(
        database: Database, lane: LaneID, queueKey: Secret, source: any SegmentSource, random: any RandomSource,
        now: MonotonicTime
    ) throws {
        try self.init(
            database: database, lane: lane, queueKey: queueKey, source: source, random: random, now: now,
            hashBits: Limits.hashBits)
    }

    /// With fewer bits of hash, so that a test sees collisions, or as a program that knows fewer payloads.
    init(
        database: Database, lane: LaneID, queueKey: Secret, source: any SegmentSource, random: any RandomSource,
        now: MonotonicTime, hashBits: Int, payloadVersion: UInt64 = Limits.payloadVersion
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
        try queue.load(indexed: index.flushedRow)
        index.whenMoved = { [unowned self] in try reads.keep($0, $1) }
    }

    /// Brings the memory in line with the database. At the start of everything that looks at it.
    ///
    /// Done at the first use, not in `init`: after a kill in the middle of a restore there may be 131,072 messages to
    /// read anew, and the node answers before that.
    ///
    /// - Parameter arrival: a segment that is stored already, and still to be taken in as one that arrives.
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

    /// Forgets what a rollback has undone. Costs little, unlike deriving the tail anew: the loop may ask at each turn.
    func reloadIfRolledBack() throws {
        guard seenRollbacks != database.rollbackCount else { return }
        isDerived = false
        conversations.forget()
        reader.forget()
        try stubTable.load()
        try index.load()
        try queue.load(indexed: index.flushedRow)
        seenRollbacks = database.rollbackCount
    }

    /// Fills the tail with what the flushed index does not have: queue rows, then segments.
    private func derive(before bound: UInt64) throws {
        try database.transaction {
            for (row, conversation) in try queue.rows() where row > index.flushedRow {
                guard let message = try queue.message(row: row) else { continue }
                index.tail.append(
                    MessageEntry(
                        message, hash: index.hash(message.txid), location: .queue(row: row),
                        conversation: conversation))
            }
            try source?.forEachSegment(after: index.flushedArrival) { arrivalID, sealed in
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
        // They stand below the mark, from which nothing would be derived again.
        try index.flush()
    }

    /// Merges what was collected in memory into the index; every query does it by itself.
    package func flush() throws {
        try synchronise()
        try index.flush()
        try storeNewest()
        noteRoom()
    }

    /// How many entries wait in memory.
    package var unflushedCount: Int { index.tail.count }

    /// Whether a flush would have something to write.
    package var hasUnflushed: Bool { !index.isFlushed || !conversations.newest.lacking.isEmpty }
}

/// Counts of an account's chat.
package struct ChatStats: Sendable, Equatable {
    /// Distinct messages; those of `unflushed` are counted as if all were new.
    package var messages = 0
    package var conversations = 0
    package var unread = 0
    package var segments = 0
    package var queued = 0
    /// Messages of `messages` that the other counts do not contain yet.
    package var unflushed = 0
}

/// What a question to the chat cannot be answered with.
package enum ChatError: Error, Equatable, Sendable, CustomStringConvertible {
    case unknownConversation
    /// No such message, or it is in another conversation.
    case unknownMessage
    /// There is no received message that could be marked.
    case nothingReceived
    /// There are as many stubs as are kept.
    case tooManyStubs
    /// No fact about this message can be above the latest.
    case revisionsExhausted

    package var description: String {
        switch self {
        case .unknownConversation: "there is no such conversation here"
        case .unknownMessage: "there is no such message in this conversation"
        case .nothingReceived: "nothing was received in this conversation"
        case .revisionsExhausted: "nothing more can be said about this message: its revisions are used up"
        case .tooManyStubs: "\(Limits.stubs) messages wait for their bodies already, more are not kept"
        }
    }
}
