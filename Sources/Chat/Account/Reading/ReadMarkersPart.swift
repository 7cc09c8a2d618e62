package import NodeCore
import SyncState

/// How far conversations were read: recorded locally at once, and published at the next stable point.
///
/// The live registers give the position that a new device would compute. If the effective position is beyond it, this
/// node raises its own (docs/PROTOCOL.md, §4.6).
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
    /// Conversations whose live registers changed since they were last examined, and the position these must show: what
    /// they showed before, joined with what arrived. A read of this device that waits for a stable point is not
    /// included.
    private var suspects: [ExactText: ReadPosition] = [:]
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
        let before = try unpublished.marker(of: conversation)
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
        let shown = try livePosition(conversation).named
        // Afterwards: moved messages found by this wait for the next stable point.
        try chat.reads.forget(names: position.named.filter { !shown.contains($0) }, of: conversation)
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

    func merge(_ content: ReadMarker, from lane: LaneID) throws {
        guard try chat.reads.merge(content, from: lane) else { return }
        try suspect(content)
        noteRead(content.conversationID)
        // A register that is superseded on arrival counts too, and perhaps no live one shows it.
        context.store.mustSettle = true
    }

    func held(_ content: ReadMarker, in lane: LaneID) throws {
        try suspect(content)
        try rows.put(content, of: content.conversationID, lane: lane)
    }

    func lost(_ content: ReadMarker, in lane: LaneID) throws {
        try suspect(content)
        try rows.remove(content.conversationID, lane: lane)
        context.store.mustSettle = true
    }

    /// How far it was read stays known here: only its register goes.
    func withdrawn(_ content: ReadMarker, in lane: LaneID) throws {
        try rows.remove(content.conversationID, lane: lane)
    }

    /// Called before the rows of a conversation change, and when a register counts without a row.
    private func suspect(_ marker: ReadMarker) throws {
        let id = ExactText(marker.conversationID)
        let shown = try suspects[id] ?? livePosition(marker.conversationID)
        suspects[id] = shown.merged(with: marker.position)
    }

    func settle() throws {
        for (conversation, lacking) in try takeLacking() {
            let before = try chat.reads.position(of: conversation)
            let position = try chat.reads.positionToPublish(conversation)
            // Some of the missing names may no longer be needed.
            var needed = lacking
            let names = Set(try chat.reads.names(for: position))
            needed.named.removeAll { !names.contains($0) }
            if try position != before || !livePosition(conversation).contains(needed) {
                let held = try rows.all(of: conversation).last
                guard let marker = try chat.reads.shownMarker(conversation) ?? held else { continue }
                try write(marker, to: position)
            }
            let shown = try livePosition(conversation).named
            try chat.reads.forget(names: lacking.named.filter { !shown.contains($0) }, of: conversation)
        }
    }

    /// Conversations whose registers no longer show the required position, and that position, in order of their ids.
    private func takeLacking() throws -> [(conversation: String, position: ReadPosition)] {
        defer { suspects = [:] }
        return try suspects.sorted { $0.key < $1.key }.compactMap { id, position in
            try livePosition(id.text).contains(position) ? nil : (id.text, position)
        }
    }

    func republish(from old: LaneID) throws {
        for marker in try rows.all(in: old) {
            try write(marker, to: try chat.reads.positionToPublish(marker.conversationID))
        }
    }

    func reload() throws { suspects = [:] }
}
