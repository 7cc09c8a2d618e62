package import NodeCore
import SyncState

/// How far conversations were read: recorded locally at once, and published at the next stable point.
///
/// The effective position is that of the live registers, as a new device would compute it, and of the reads that wait
/// here to be published (docs/PROTOCOL.md, §4.6).
package final class ReadMarkersPart: AccountPart {
    private static var migration: Migration {
        Migration(
            "live markers",
            sql: """
                CREATE TABLE live_marker(
                    conversation TEXT NOT NULL,
                    lane BLOB NOT NULL,
                    marker BLOB NOT NULL,
                    PRIMARY KEY(conversation, lane)) WITHOUT ROWID;
                """)
    }

    private let context: AccountContext
    private let details: DetailsPart
    private let rows: LiveRows<ReadMarker>
    private let unpublished: UnpublishedReads
    /// Conversations of which a register went.
    private var suspects: Set<ExactText> = []
    /// When unpublished reads are due; nil if there are none.
    package private(set) var publishDeadline: MonotonicTime?

    init(_ context: AccountContext, _ details: DetailsPart, now: MonotonicTime) throws {
        self.context = context
        self.details = details
        try context.database.migrate("account", [Self.migration, UnpublishedReads.migration])
        rows = try LiveRows(
            context.database,
            .init(table: "live_marker", subject: "conversation", value: "marker", isText: true))
        unpublished = try UnpublishedReads(context.database)
        context.chat.reads.keptMarkers = unpublished
        if !(try unpublished.all().isEmpty) { publishDeadline = now + context.policy.quiet }
    }

    private var chat: ChatState { context.chat }

    // MARK: Reading

    /// Records a read locally at once; it is published at the next stable point.
    ///
    /// - Parameter txid: nil for the latest received message.
    /// - Returns: whether the position advanced.
    package func markRead(_ conversation: String, upTo txid: TxID?, now: MonotonicTime, wall: WallTime) throws -> Bool {
        try context.store.begin()
        let waiting = try unpublished.marker(of: conversation)
        let told = try rows.byLane(of: conversation).first { $0.lane == context.lane }?.content
        // One that keeps moved messages read has the time of a mark that others know.
        let before = waiting?.readAt == told?.readAt ? nil : waiting
        let marker = try chat.reads.mark(conversation, upTo: txid, wall: wall, instead: before)
        if try chat.details(conversation).isMarkedUnread?.value == true {
            try details.change(conversation, [.markedUnread(false)], wall: wall)
        }
        guard let marker else { return false }
        try unpublished.put(marker)
        noteRead(conversation)
        publishDeadline = now + context.policy.quiet
        return true
    }

    /// Adopts a read position from an old app, whether or not the messages are here yet. Like every read it is
    /// published at the next stable point.
    ///
    /// - Parameters:
    ///   - txid: the last message that was read, if known.
    ///   - blockTime: its block time in milliseconds.
    /// - Returns: whether the position advanced.
    package func adoptRead(
        _ conversation: String, txid: TxID?, blockTime: UInt64, now: MonotonicTime, wall: WallTime
    ) throws -> Bool {
        guard (1...Limits.conversationIDBytes).contains(conversation.utf8.count) else {
            throw ConversationDetailsError.badConversationID
        }
        // Nobody has read future messages: a time in another unit must not mark anything.
        guard blockTime <= Limits.timeMilliseconds, blockTime <= UInt64(clamping: wall.milliseconds) else {
            throw ReadImportError.inTheFuture
        }
        try context.store.begin()
        let marker = ReadMarker(
            conversationID: conversation, position: ReadPosition(timeMilliseconds: blockTime), txid: txid ?? .zero,
            blockTime: blockTime, readAt: wall)
        guard let adopted = try chat.reads.adopt(marker) else { return false }
        try unpublished.put(adopted)
        noteRead(conversation)
        publishDeadline = now + context.policy.quiet
        return true
    }

    /// Adopts a read position from an archive; published with the next reads.
    ///
    /// - Returns: whether the position advanced.
    package func adoptRead(_ marker: ReadMarker, now: MonotonicTime) throws -> Bool {
        try context.store.begin()
        guard try chat.reads.merge(marker, from: context.lane) else { return false }
        try unpublished.put(marker)
        publishDeadline = now + context.policy.quiet
        return true
    }

    private func noteRead(_ conversation: String) {
        context.changes.note(.readState(conversation))
        context.changes.note(.unread(conversation))
    }

    // MARK: Publishing

    /// The user left the conversation: publishes its reads.
    package func leave(_ conversation: String) throws {
        guard let marker = try unpublished.marker(of: conversation) else { return }
        try context.store.begin()
        try publish(marker)
    }

    /// Publishes all reads: in the background, at the end, and after a quiet time.
    package func publishReads() throws {
        publishDeadline = nil
        for marker in try unpublished.all() {
            try context.store.begin()
            try publish(marker)
        }
    }

    /// Publishes due reads. Markers raised so that moved messages stay read also wait for a quiet time.
    func work(now: MonotonicTime) throws {
        if chat.reads.hasKept {
            chat.reads.hasKept = false
            publishDeadline = publishDeadline ?? now + context.policy.quiet
        }
        if let due = publishDeadline, due <= now { try publishReads() }
    }

    private func publish(_ marker: ReadMarker) throws {
        let conversation = marker.conversationID
        let position = try chat.reads.positionToPublish(conversation)
        if try !livePosition(conversation).contains(chat.reads.shortened(position)) { try write(marker, to: position) }
        try unpublished.remove(conversation)
        suspect(conversation)
    }

    /// The position in the live registers alone, as a new device would compute it.
    package func livePosition(_ conversation: String) throws -> ReadPosition {
        try rows.all(of: conversation).reduce(.empty) { $0.merged(with: $1.position) }
    }

    /// Writes our register, raised to a position.
    private func write(_ marker: ReadMarker, to position: ReadPosition) throws {
        try context.write(marker.raised(to: try chat.reads.shortened(position)))
    }

    /// Number of held read markers of each device, by lane.
    package func markerCounts() throws -> [LaneID: Int] {
        let query = try context.database.prepare("SELECT lane, count(*) FROM live_marker GROUP BY lane")
        var counts: [LaneID: Int] = [:]
        while try query.step() {
            if let lane = LaneID(bytes: query.blob(0)) { counts[lane] = Int(query.int(1)) }
        }
        return counts
    }

    // MARK: Registers

    typealias Content = ReadMarker

    func held(_ content: ReadMarker, in lane: LaneID) throws {
        try rows.put(content, of: content.conversationID, lane: lane)
        if try chat.reads.merge(content, from: lane) { noteRead(content.conversationID) }
    }

    func lost(_ content: ReadMarker, in lane: LaneID) throws {
        try rows.remove(content.conversationID, lane: lane)
        suspect(content.conversationID)
    }

    private func suspect(_ conversation: String) {
        suspects.insert(ExactText(conversation))
        context.store.mustSettle = true
    }

    func settle() throws {
        defer { suspects = [] }
        for conversation in suspects.sorted().map(\.text) {
            var markers = try rows.byLane(of: conversation).map { (lane: $0.lane, marker: $0.content) }
            if let waiting = try unpublished.marker(of: conversation) { markers.append((context.lane, waiting)) }
            if try chat.reads.follow(markers, in: conversation) { noteRead(conversation) }
        }
    }

    func republish(from old: LaneID) throws {
        for marker in try rows.all(in: old) {
            try write(marker, to: try chat.reads.positionToPublish(marker.conversationID))
        }
    }

    func reload() throws { suspects = [] }
}
