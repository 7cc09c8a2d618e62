import NodeCore
import SyncState

/// Messages accepted here that are in no segment yet. A row is written once; a change is a new row.
///
/// Rows are sealed under a key of this device, since bodies are never stored in clear. The index refers to rows and is
/// flushed later than they are removed: when a row known to the flushed index is removed, it leaves a note
/// (`queue_gone`), from which the next flush learns what to remove.
final class ArchiveQueue {
    /// Messages that will share a segment.
    struct Group: Hashable {
        var conversation: UInt32
        var day: UInt64
    }

    struct GroupState {
        var rows: [Int64] = []
        /// Upper bound of the payload.
        var bytes = 0
        var firstQueuedAt: MonotonicTime
        /// When it had enough for a segment; nil if it has not.
        var fullAt: MonotonicTime?
    }

    private let table: QueueTable
    private let goneRows: GoneRows
    let given: GivenMessages
    private(set) var groups: [Group: GroupState] = [:]
    var full: Set<Group> = []
    /// Groups by the time of their first message, ascending; groups that no longer exist are skipped.
    var ages: [(queuedAt: MonotonicTime, group: Group)] = []
    var oldest = 0
    /// The messages of each group that apps gave one by one. Imported history is not included: its import ends and cuts
    /// it.
    private(set) var bursts: [Group: ArchiveBurst] = [:]
    /// Number of connected devices that go first, for groups where it was needed.
    var ranks: [Group: Int] = [:]
    /// When the first of the connected devices came, if it was needed.
    var metAt: MonotonicTime?
    /// Decides when groups are cut.
    var policy = ArchivePolicy() {
        didSet { if policy != oldValue { judgeAnew() } }
    }
    /// The connected devices and this one, in the order in which they cut.
    var ranking = ArchiveRanking() {
        didSet {
            guard ranking != oldValue else { return }
            ranks = [:]
            if oldValue.others.isEmpty || ranking.others.isEmpty { metAt = nil }
        }
    }
    /// The index's hash of a txid: invented txids, such as 1, 2 and 3, are distributed like all others.
    var hash: (TxID) -> UInt64 = { _ in 0 }
    /// The rows by that hash, looked up for each arriving message. Nil until first needed, since all rows must be
    /// opened.
    private var rowsByHash: [UInt64: [Int64]]?
    /// Rows waiting to be cut, except those found unreadable here.
    private(set) var count = 0
    /// The conversations of the rows found unreadable since the start.
    var unreadable: [Int64: UInt32] = [:]
    private var nextRow: Int64 = 1
    /// The latest time passed in; loaded rows count as queued then.
    var latestNow: MonotonicTime

    static let schema = """
        CREATE TABLE queue(
            id INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, day INTEGER NOT NULL, prefix INTEGER NOT NULL,
            bytes INTEGER NOT NULL, sealed BLOB NOT NULL);
        CREATE TABLE queue_gone(
            id INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, ord INTEGER NOT NULL, prefix INTEGER NOT NULL);
        CREATE TABLE segment_sequence(
            conversation INTEGER NOT NULL, day INTEGER NOT NULL, next INTEGER NOT NULL,
            PRIMARY KEY(conversation, day)) WITHOUT ROWID
        """

    static var withoutPrefixes: Migration {
        Migration("queue without prefixes", sql: "ALTER TABLE queue DROP COLUMN prefix")
    }

    init(database: Database, key: Secret, random: any RandomSource, now: MonotonicTime) throws {
        table = try QueueTable(database, key: key, random: random)
        goneRows = try GoneRows(database)
        given = try GivenMessages(database)
        latestNow = now
    }

    /// Reads the table again: at the start, and after a rollback.
    ///
    /// - Parameter indexed: the highest row that the flushed index has covered; ids up to it are not reused.
    func load(indexed: Int64) throws {
        let earlier = groups
        let earlierRows = Set(groups.values.flatMap(\.rows))
        var given: [Int64: ArchiveBurst.Row] = [:]
        for row in bursts.values.flatMap(\.rows) { given[row.id] = row }
        groups = [:]
        full = []
        ages = []
        oldest = 0
        bursts = [:]
        ranks = [:]
        rowsByHash = nil
        count = 0
        nextRow = indexed + 1
        for (row, group, bytes) in try table.rows() {
            nextRow = max(nextRow, row + 1)
            guard unreadable[row] == nil else { continue }
            // How a row of an earlier run came is no longer known.
            let unknown = ArchiveBurst.Row(id: row, givenAt: latestNow, bytes: bytes, isSent: false)
            note(
                row: row, group, bytes: bytes, queuedAt: earlier[group]?.firstQueuedAt ?? latestNow,
                given: earlierRows.contains(row) ? given[row] : unknown)
        }
        ages.sort { $0.queuedAt < $1.queuedAt }
    }

    private func note(
        row: Int64, _ group: Group, bytes: Int, queuedAt: MonotonicTime, given: ArchiveBurst.Row?
    ) {
        if groups[group] == nil {
            groups[group] = GroupState(firstQueuedAt: queuedAt)
            ages.append((queuedAt, group))
        }
        groups[group]?.rows.append(row)
        groups[group]?.bytes += bytes
        if let given { bursts[group, default: ArchiveBurst()].add(given) }
        ranks[group] = nil
        judge(group, now: queuedAt)
        nextRow = max(nextRow, row + 1)
        count += 1
    }

    /// Notes whether a group has enough for a segment.
    private func judge(_ group: Group, now: MonotonicTime) {
        guard let state = groups[group], policy.isFull(messages: state.rows.count, bytes: state.bytes) else {
            full.remove(group)
            groups[group]?.fullAt = nil
            return
        }
        full.insert(group)
        if state.fullAt == nil { groups[group]?.fullAt = now }
    }

    private func judgeAnew() {
        for group in groups.keys { judge(group, now: latestNow) }
    }
}

// MARK: - Rows

extension ArchiveQueue {
    /// Queues a message and returns its row.
    ///
    /// - Parameter givenAt: when an app gave it singly; nil for imported history.
    func insert(
        _ message: ChatMessage, conversation: UInt32, now: MonotonicTime, givenAt: MonotonicTime?
    ) throws -> Int64 {
        latestNow = max(latestNow, now)
        let row = nextRow
        let bytes = PayloadWriter.sizeBound(of: message)
        let group = Group(conversation: conversation, day: message.dayBucket)
        try table.insert(row, message, group, bytes: bytes)
        note(
            row: row, group, bytes: bytes, queuedAt: now,
            given: givenAt.map {
                ArchiveBurst.Row(id: row, givenAt: $0, bytes: bytes, isSent: message.direction == .sent)
            })
        rowsByHash?[hash(message.txid), default: []].append(row)
        return row
    }

    /// The message of a row; nil if there is no such row.
    func message(row: Int64) throws -> ChatMessage? { try table.message(row) }

    /// The group in which a row waits; nil if there is no such row.
    func group(row: Int64) throws -> Group? { try table.group(of: row) }

    /// A conversation's id by its number.
    func name(of conversation: UInt32) throws -> String? { try table.name(of: conversation) }

    /// The group in which a message with content waits; nil if it does not.
    func group(of txid: TxID) throws -> Group? {
        for row in try rows(hash: hash(txid)) {
            guard let message = try message(row: row), message.txid == txid, message.hasContent else { continue }
            if let group = try table.group(of: row) { return group }
        }
        return nil
    }

    /// The rows whose txid has this hash, ascending: nearly always of a single txid.
    func rows(hash wanted: UInt64) throws -> [Int64] {
        if let rowsByHash { return rowsByHash[wanted] ?? [] }
        var found: [UInt64: [Int64]] = [:]
        for (row, _, _) in try table.rows() {
            if let message = try message(row: row) { found[hash(message.txid), default: []].append(row) }
        }
        rowsByHash = found
        return found[wanted] ?? []
    }

    /// Removes a row.
    ///
    /// - Parameter isIndexed: true if the flushed index refers to it.
    /// - Returns: when an app gave it singly.
    @discardableResult
    func delete(
        row: Int64, _ message: ChatMessage, conversation: UInt32, isIndexed: Bool
    ) throws -> MonotonicTime? {
        guard try table.delete(row) else { return nil }
        if isIndexed { try goneRows.add(row, message, conversation: conversation) }
        let hash = hash(message.txid)
        rowsByHash?[hash]?.removeAll { $0 == row }
        if rowsByHash?[hash]?.isEmpty == true { rowsByHash?[hash] = nil }
        return release(
            row: row, of: Group(conversation: conversation, day: message.dayBucket),
            bytes: PayloadWriter.sizeBound(of: message))
    }

    /// Releases a row that no longer waits.
    ///
    /// - Returns: when an app gave it singly.
    @discardableResult
    func release(row: Int64, of group: Group, bytes: Int) -> MonotonicTime? {
        count -= 1
        groups[group]?.rows.removeAll { $0 == row }
        groups[group]?.bytes -= bytes
        if groups[group]?.rows.isEmpty == true { groups[group] = nil }
        let givenAt = bursts[group]?.remove(row)
        if bursts[group]?.rows.isEmpty == true { bursts[group] = nil }
        ranks[group] = nil
        judge(group, now: latestNow)
        return givenAt
    }

    /// The number of this device's next segment of a conversation and day.
    func takeSequence(of group: Group) throws -> UInt64 { try table.takeSequence(of: group) }

    /// All rows, ascending, with their conversations.
    func rows() throws -> [(row: Int64, conversation: UInt32)] {
        try table.rows().map { ($0.row, $0.group.conversation) }
    }

    /// The latest row id in use.
    var lastRow: Int64 { nextRow - 1 }

    /// Keys by which the flushed index still lists rows that are gone.
    func goneKeys() throws -> [Int64: MessageKey] { try goneRows.keys() }

    /// Clears them. To be called when the index has been told.
    func forgetGone() throws { try goneRows.clear() }
}

/// A message of the queue and its row.
struct QueuedMessage {
    var row: Int64
    var message: ChatMessage
}

/// When a group of queued messages becomes a segment: at a count, a size, or an age, whichever comes first.
package struct ArchivePolicy: Sendable, Hashable {
    /// Messages of a segment.
    package let messages: Int
    /// Bytes of a segment's messages, encoded and not compressed. A longer message gets its own segment.
    package let bytes: Int
    /// A group is cut this long after its first message, whatever its size.
    package let age: Duration

    package static let messageBounds = 1...Limits.segmentMessages
    package static let byteBounds = 4_096...Limits.segmentBytes
    package static let ageBounds: ClosedRange<Duration> = .seconds(5) ... .seconds(3_600)

    /// Values outside their bounds are clamped.
    package init(
        messages: Int = Limits.segmentMessages, bytes: Int = Limits.segmentBytes, age: Duration = Limits.segmentAge
    ) {
        self.messages = messages.clamped(to: Self.messageBounds)
        self.bytes = bytes.clamped(to: Self.byteBounds)
        self.age = age.clamped(to: Self.ageBounds)
    }

    func isFull(messages: Int, bytes: Int) -> Bool { messages >= self.messages || bytes >= self.bytes }
}

extension Comparable {
    fileprivate func clamped(to bounds: ClosedRange<Self>) -> Self {
        min(max(self, bounds.lowerBound), bounds.upperBound)
    }
}
