package import NodeCore
import SyncState

/// How far conversations were read: recorded locally at once, and published at the next stable point.
///
/// The effective position is that of the live registers, as a new device would compute it, and of the reads that wait
/// here to be published (docs/PROTOCOL-CHAT.md, §4.6). While segments are missing, a lane's newest mark may name a
/// message that is not here yet: until then the lane's former mark counts as far as it did.
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
                CREATE TABLE former_marker(
                    conversation TEXT NOT NULL,
                    lane BLOB NOT NULL,
                    marker BLOB NOT NULL,
                    PRIMARY KEY(conversation, lane)) WITHOUT ROWID;
                """)
    }

    /// A lane's register about a conversation.
    private struct Place: Hashable {
        let conversation: ExactText
        let lane: LaneID
    }

    private let context: AccountContext
    private let archive: ArchivePart
    private let details: DetailsPart
    private let rows: LiveRows<ReadMarker>
    /// What still counts of replaced registers while their successors name messages that are not here yet.
    private let formers: LiveRows<ReadMarker>
    private let unpublished: UnpublishedReads
    /// Conversations whose registers changed since the last commit.
    private var suspects: Set<ExactText> = []
    /// Registers that went since the last commit.
    private var replaced: [Place: ReadMarker] = [:]
    /// Conversations by the messages that bound marks about them.
    private var waiting: [TxID: Set<ExactText>] = [:]
    /// When unpublished reads are due; nil if there are none.
    package private(set) var publishDeadline: MonotonicTime?
    /// Whether there may be former marks.
    private var hasFormers = false
    /// Since when nothing is missing that former marks could wait for.
    private var hasAllSince: MonotonicTime?
    /// Whether they waited long enough, so that the next commit drops them.
    private var hasWaited = false
    /// Set when this device must publish a mark that no user made just now.
    private var hasKept = false

    init(_ context: AccountContext, _ archive: ArchivePart, _ details: DetailsPart, now: MonotonicTime) throws {
        self.context = context
        self.archive = archive
        self.details = details
        try context.database.migrate("account", [Self.migration, UnpublishedReads.migration])
        func table(_ name: String) throws -> LiveRows<ReadMarker> {
            try LiveRows(
                context.database, .init(table: name, subject: "conversation", value: "marker", isText: true))
        }
        rows = try table("live_marker")
        formers = try table("former_marker")
        unpublished = try UnpublishedReads(context.database)
        context.chat.reads.own = self
        if !(try unpublished.due().isEmpty) { publishDeadline = now + context.policy.quiet }
    }

    private var chat: ChatState { context.chat }

    // MARK: Reading

    /// Records a read locally at once; it is published at the next stable point.
    ///
    /// - Parameter txid: nil for the latest received message.
    /// - Returns: whether the position advanced.
    package func markRead(_ conversation: String, upTo txid: TxID?, now: MonotonicTime, wall: WallTime) throws -> Bool {
        try context.store.begin()
        let marker = try chat.reads.mark(conversation, upTo: txid, wall: wall, own: ownMark(of: conversation))
        if try chat.details(conversation).isMarkedUnread?.value == true {
            try details.change(conversation, [.markedUnread(false)], wall: wall)
        }
        return try marker.map { try record($0, now: now) } ?? false
    }

    /// Adopts a read position from an old app, whether or not the messages are here yet. Like every read it is
    /// published at the next stable point at which a message is here that can be named for it.
    ///
    /// - Parameter blockTime: of the last message that was read, in milliseconds.
    /// - Returns: whether the position advanced.
    package func adoptRead(
        _ conversation: String, blockTime: UInt64, now: MonotonicTime, wall: WallTime
    ) throws -> Bool {
        guard (1...Limits.conversationIDBytes).contains(conversation.utf8.count) else {
            throw ConversationDetailsError.badConversationID
        }
        // Nobody has read future messages: a time in another unit must not mark anything.
        guard blockTime <= Limits.timeMilliseconds, blockTime <= UInt64(clamping: wall.milliseconds) else {
            throw ReadImportError.inTheFuture
        }
        try context.store.begin()
        let bound = ReadBound.unnamed(timeMilliseconds: blockTime)
        return try adopt([ReadMarker(conversationID: conversation, bounds: [bound], readAt: wall)], now: now)
    }

    /// Adopts a read position from an archive, after the archive's messages; published with the next reads. Archives
    /// omit deleted messages: in place of one, the newest before it is named.
    ///
    /// - Returns: whether the position advanced.
    package func adoptRead(_ marker: ReadMarker, now: MonotonicTime) throws -> Bool {
        try context.store.begin()
        let conversation = marker.conversationID
        var stated = [marker.with(bounds: [], named: marker.named)]
        for bound in marker.bounds {
            var here: ReadBound?
            if try chat.reads.held(bound.txid, in: conversation) == nil {
                here = try chat.reads.newestBound(of: conversation, through: bound.timeMilliseconds)
            }
            stated.append(marker.with(bounds: [here ?? bound], named: []))
        }
        return try adopt(stated, now: now)
    }

    /// - Precondition: the statements are of one conversation, and there is at least one.
    private func adopt(_ stated: [ReadMarker], now: MonotonicTime) throws -> Bool {
        let own = try ownMark(of: stated[0].conversationID)
        let joined = try chat.reads.joined([own].compactMap(\.self) + stated)
        if let own, own.bounds == joined.bounds, own.named == joined.named { return false }
        return try record(joined, now: now)
    }

    private func reach(_ own: ReadMarker) throws -> ReadPosition {
        try chat.reads.reach(of: own, isWaiting: true).position
    }

    /// Records what this device says now.
    private func record(_ marker: ReadMarker, now: MonotonicTime) throws -> Bool {
        let conversation = marker.conversationID
        if let waiting = try unpublished.find(conversation)?.marker,
            try waiting.readAt != register(of: conversation)?.readAt
        {
            try chat.reads.forget(waiting.readAt, in: conversation)
        }
        let isDue = try !told(conversation).contains(reach(marker))
        try put(marker, isDue: isDue)
        if isDue { publishDeadline = now + context.policy.quiet }
        guard try chat.reads.follow(marks(of: conversation), in: conversation, news: context.lane) else {
            return false
        }
        noteRead(conversation)
        return true
    }

    private func put(_ marker: ReadMarker, isDue: Bool) throws {
        try unpublished.put(marker, isDue: isDue)
        wait(for: marker)
    }

    private func noteRead(_ conversation: String) {
        context.changes.note(.readState, conversation: conversation)
        context.changes.note(.unread, conversation: conversation)
    }

    /// This device's register.
    private func register(of conversation: String) throws -> ReadMarker? {
        try rows.byLane(of: conversation).first { $0.lane == context.lane }?.content
    }

    /// All that counts of a conversation.
    func marks(of conversation: String) throws -> [ReadMark] {
        let registers = try (rows.byLane(of: conversation) + formers.byLane(of: conversation))
        let waiting = try unpublished.find(conversation)
        return registers.map { ReadMark(lane: $0.lane, marker: $0.content) }
            + [waiting].compactMap(\.self).map {
                ReadMark(lane: context.lane, marker: $0.marker, isWaiting: true, isCovered: !$0.isDue)
            }
    }

    /// The position that other devices know of.
    private func told(_ conversation: String) throws -> ReadPosition {
        try (rows.all(of: conversation) + formers.all(of: conversation)).reduce(.empty) {
            $0.merged(with: try chat.reads.reach(of: $1).position)
        }
    }

    /// The effective mark of each conversation, in order of their ids.
    package func all() throws -> [ReadMarker] {
        let marks = Dictionary(grouping: try rows.all() + formers.all() + unpublished.all()) {
            ExactText($0.conversationID)
        }
        return try marks.sorted { $0.key < $1.key }.map { try chat.reads.heldPart(of: $0.value) }
            .filter { !$0.bounds.isEmpty || !$0.named.isEmpty }
    }

    // MARK: Publishing

    /// Publishes the reads of a conversation that the user left.
    package func leave(_ conversation: String) throws {
        guard let waiting = try unpublished.find(conversation), waiting.isDue else { return }
        try context.store.begin()
        try publish(waiting.marker)
    }

    /// Publishes all reads: in the background, at the end, and after a quiet time.
    package func publishReads() throws {
        publishDeadline = nil
        for marker in try unpublished.due() {
            try context.store.begin()
            try publish(marker)
        }
    }

    /// Publishes due reads. Reads that keep moved messages read also wait for a quiet time.
    func work(now: MonotonicTime) throws {
        if hasKept {
            hasKept = false
            publishDeadline = publishDeadline ?? now + context.policy.quiet
        }
        if let due = publishDeadline, due <= now { try publishReads() }
        guard hasFormers, context.store.wantedCount == 0 else {
            hasAllSince = nil
            return
        }
        let since = hasAllSince ?? now
        hasAllSince = since
        guard since + Limits.formerMarks <= now else { return }
        try context.store.begin()
        for marker in try formers.all() { suspect(marker.conversationID) }
        (hasFormers, hasWaited, hasAllSince) = (false, true, nil)
    }

    /// When work is due; nil if there is none.
    var deadline: MonotonicTime? {
        if hasKept { return .zero }
        guard hasFormers, context.store.wantedCount == 0 else { return publishDeadline }
        guard let since = hasAllSince else { return .zero }
        return min(publishDeadline ?? .distantFuture, since + Limits.formerMarks)
    }

    /// Publishes a mark unless other devices' marks cover it. A covered mark is kept and published when nothing covers
    /// it any more.
    private func publish(_ waiting: ReadMarker) throws {
        let conversation = waiting.conversationID
        let (marker, rest) = try chat.reads.named(waiting)
        let position = try chat.reads.reach(of: marker).position
        if try !livePosition(conversation).contains(position) {
            // The segments with the messages that a mark names are announced before the mark.
            try archive.cut(holding: marker.bounds.map(\.txid))
            try context.write(marker)
        }
        if let rest {
            try put(rest, isDue: true)
        } else if let register = try register(of: conversation), try reach(register).contains(position) {
            try unpublished.remove(conversation)
        } else {
            try put(marker, isDue: false)
        }
        suspect(conversation)
    }

    /// The position in the live registers alone, as a new device would compute it.
    package func livePosition(_ conversation: String) throws -> ReadPosition {
        try rows.all(of: conversation).reduce(.empty) {
            $0.merged(with: try chat.reads.reach(of: $1).position)
        }
    }

    /// Number of held read markers of each device, by lane.
    package func markerCounts() throws -> [LaneID: Int] {
        let query = try context.database.prepare("SELECT lane, count(*) FROM live_marker GROUP BY lane")
        var counts: [LaneID: Int] = [:]
        try query.forEach(visit: { row in
            if let lane = LaneID(bytes: row.blob(0)) { counts[lane] = Int(row.int(1)) }
        })
        return counts
    }

    // MARK: Registers

    func held(_ content: ReadMarker, in lane: LaneID) throws {
        try rows.put(content, of: content.conversationID, lane: lane)
        wait(for: content)
        suspect(content.conversationID)
    }

    func lost(_ content: ReadMarker, in lane: LaneID) throws {
        try rows.remove(content.conversationID, lane: lane)
        let place = Place(conversation: ExactText(content.conversationID), lane: lane)
        // Of several that went in one turn, an earlier one may be what counted.
        replaced[place] = try replaced[place].map { try chat.reads.joined([$0, content]) } ?? content
        suspect(content.conversationID)
    }

    func withdrawn(_ content: ReadMarker, in lane: LaneID) throws {
        try rows.remove(content.conversationID, lane: lane)
        try formers.remove(content.conversationID, lane: lane)
        replaced[Place(conversation: ExactText(content.conversationID), lane: lane)] = nil
        suspect(content.conversationID)
    }

    func isTaken(_ content: ReadMarker, in lane: LaneID) throws -> Bool {
        try rows.holds(content, of: content.conversationID, lane: lane)
    }

    private func suspect(_ conversation: String) {
        suspects.insert(ExactText(conversation))
        context.store.mustSettle = true
    }

    private func wait(for marker: ReadMarker) {
        for bound in marker.bounds where !bound.isUnnamed {
            waiting[bound.txid, default: []].insert(ExactText(marker.conversationID))
            chat.conversations.readBounds.name(bound.txid)
        }
    }

    func settle() throws {
        for txid in chat.conversations.readBounds.takeNews().sorted() { suspects.formUnion(waiting[txid] ?? []) }
        for conversation in suspects.sorted() {
            try keepFormers(conversation)
            try settle(conversation.text)
        }
        (suspects, replaced, hasWaited) = ([], [:], false)
    }

    private func settle(_ conversation: String) throws {
        if try chat.reads.follow(marks(of: conversation), in: conversation) { noteRead(conversation) }
        // The mark that covered one of this device may be gone.
        guard let waiting = try unpublished.find(conversation), !waiting.isDue,
            try !told(conversation).contains(reach(waiting.marker))
        else { return }
        try put(waiting.marker, isDue: true)
        hasKept = true
    }

    /// A replaced mark counts here until all messages that the new one names are held, or nothing has been missing for
    /// a while: so devices that hold the same records show the same in the end.
    private func keepFormers(_ conversation: ExactText) throws {
        let held = try rows.byLane(of: conversation.text)
        let kept = try formers.byLane(of: conversation.text)
        for (lane, marker) in held {
            let former = kept.first { $0.lane == lane }?.content
            if try hasWaited || chat.reads.reach(of: marker).isWhole {
                if former != nil { try formers.remove(conversation.text, lane: lane) }
            } else if let gone = replaced[Place(conversation: conversation, lane: lane)] {
                let part = try chat.reads.heldPart(of: [former, gone].compactMap(\.self))
                try formers.put(part, of: conversation.text, lane: lane)
                hasFormers = true
                wait(for: part)
            }
        }
        for (lane, _) in kept where !held.contains(where: { $0.lane == lane }) {
            try formers.remove(conversation.text, lane: lane)
        }
    }

    func rowsLost(in lane: LaneID) throws { try settle(rows.all(in: lane), in: lane, context) }

    /// Writes only this device's own marks, since the others' records may stop counting.
    func republish(from old: LaneID) throws {
        for marker in try rows.all(in: old) {
            let gone = replaced[Place(conversation: ExactText(marker.conversationID), lane: old)]
            try context.write(chat.reads.joined([marker, gone].compactMap(\.self)))
        }
    }

    func reload() throws {
        (suspects, replaced, waiting) = ([], [:], [:])
        (hasFormers, hasAllSince, hasWaited) = (!(try formers.all()).isEmpty, nil, false)
        chat.conversations.readBounds = NamedMessages()
        for marker in try rows.all() + formers.all() + unpublished.all() { wait(for: marker) }
    }
}

extension ReadMarkersPart: OwnReadMarks {
    func ownMark(of conversation: String) throws -> ReadMarker? {
        try unpublished.find(conversation)?.marker ?? register(of: conversation)
    }

    func isNamed(_ txid: TxID, in conversation: String) throws -> Bool {
        let others = try (rows.byLane(of: conversation) + formers.byLane(of: conversation))
            .filter { $0.lane != context.lane }.map(\.content)
        return try ([ownMark(of: conversation)].compactMap(\.self) + others)
            .contains { mark in
                // A bound with a score names its message until the score is known here.
                mark.named.contains(txid)
                    || mark.bounds.contains { $0.txid == txid && $0.acceptingDaaScore != nil }
            }
    }

    func keep(_ marker: ReadMarker) throws {
        try put(marker, isDue: true)
        hasKept = true
    }
}
