import Ledger
package import NodeCore
package import SyncState

/// The archive's segments, cut here or received.
package final class ArchivePart: AccountPart {
    let context: AccountContext
    /// Number of segments since the start whose blob opened, but is unreadable for this version.
    package private(set) var unreadableSegments = 0
    private var latest = OpenSegments()

    init(_ context: AccountContext) { self.context = context }

    private var store: ZoneStore { context.store }
    private var chat: ChatState { context.chat }
    private var segments: StoredSegments { context.segments }

    // Nothing to do for their rows; the content is in the blobs.
    typealias Content = SegmentMeta

    // MARK: Writing

    /// Cuts what is due, or everything queued with `force`, and returns the number of segments written.
    func cut(force: Bool, now: MonotonicTime) throws -> Int {
        try store.begin()
        return try chat.cut(force: force, now: now, joining: open(for:)) { try write($0) }
    }

    /// Cuts the groups in which any of these messages wait.
    func cut(holding txids: [TxID]) throws {
        let groups = try chat.queuedGroups(of: txids)
        guard !groups.isEmpty else { return }
        try store.begin()
        try chat.cut(groups.map { ArchiveQueue.Due(group: $0, part: .whole) }, joining: open(for:)) { try write($0) }
    }

    /// The segment that messages of one conversation and day join; nil if they need one of their own.
    private func open(for added: [ChatMessage]) throws -> OpenSegment? {
        let most = chat.queue.policy.messages
        guard let first = added.first, added.count < most,
            let name = latest.find(first.conversationID, day: first.dayBucket, now: store.runningTime),
            let record = try store.rewritableSegment(name.text)?.record, let meta = segments.meta(of: record),
            meta.messageCount + added.count <= most, let held = try messages(of: record)?.messages
        else { return nil }
        let messages = held + added
        guard messages.reduce(0, { $0 + PayloadWriter.sizeBound(of: $1) }) <= Limits.joinedSegmentBytes,
            Set(messages.map(\.txid)).count == messages.count
        else { return nil }
        return OpenSegment(name: name, messages: held)
    }

    /// Seals and stores a segment, and returns its arrival; the caller indexes it.
    private func write(_ draft: SegmentDraft) throws -> UInt64 {
        latest.note(draft.meta.name, now: store.runningTime)
        return try write(draft, under: store.segmentTag(of: draft.meta.name.text))
    }

    private func write(_ draft: SegmentDraft, under tag: Bytes16) throws -> UInt64 {
        let archiveKey = context.sealer.current.archive
        let record = try context.write(draft.meta, tag: tag) { [context] header in
            SegmentCodec.seal(
                draft, header: header.blobAssociatedData, archiveKey: archiveKey, random: &context.random)
        }
        try store.rememberSegment(draft.meta.name.text, tag: tag, record: record)
        return UInt64(store.latestArrival)
    }

    /// Rewrites a segment of this device, under the same name and slot, with replaced messages at the same positions.
    func recut(_ seq: UInt64, _ replacing: (ChatMessage) throws -> ChatMessage) throws {
        for (row, record) in try store.rows(lane: store.ownNumber, from: seq, through: seq) {
            guard record.kind == .segment, try store.isLatest(row, slot: record.slot),
                let arrival = try store.arrival(of: row), let blob = try store.blob(arrival: arrival),
                let meta = segments.meta(of: record), let tag = try? context.sealer.open(record).tag,
                let held = try? blob.withUnsafeBytes({ bytes in
                    try chat.codec.messages(of: segments.sealed(record, meta, bytes))
                })
            else { continue }
            let left = try held.map(replacing)
            guard left != held else { continue }
            let draft = try chat.codec.draft(left, name: meta.name)
            try index(try write(draft, under: tag))
        }
    }

    /// Processes a segment that was just written like one that arrived.
    private func index(_ arrival: UInt64) throws {
        guard let record = try segments.record(of: arrival), let meta = segments.meta(of: record),
            let blob = try store.blob(arrival: Int64(arrival))
        else { return }
        try blob.withUnsafeBytes { bytes in
            _ = try chat.segmentArrived(arrival, segments.sealed(record, meta, bytes))
        }
    }

    // MARK: Arriving

    /// The blob of a segment arrived from a peer.
    func arrived(_ blob: UnsafeRawBufferPointer, arrival: UInt64, of record: Record, _ meta: SegmentMeta) throws {
        let sealed = segments.sealed(record, meta, blob)
        let news = try news(of: sealed, arrival: arrival)
        let outcome = try chat.segmentArrived(arrival, sealed)
        if case .refused = outcome, meta.payloadVersion <= chat.payloadVersion { unreadableSegments += 1 }
        note(outcome, news?.groups, conversation: meta.name.conversationID)
        if news?.isShownAnew == true { try chat.flush() }
        // The last missing segment is here: some values depend on that.
        if chat.hasUnpublishedFacts || store.wantedCount == 0 { store.mustSettle = true }
        context.settleIfNamed()
    }

    /// The new messages of an arriving segment; nil in a restore, where only their number is reported.
    private func news(
        of sealed: SealedSegment, arrival: UInt64
    ) throws -> (groups: [ChangeGroup], isShownAnew: Bool)? {
        guard store.wantedCount < Limits.wantedWhileLive else { return nil }
        return try chat.news(of: sealed, arrival: arrival)
    }

    private func note(_ outcome: SegmentOutcome, _ news: [ChangeGroup]?, conversation: String) {
        guard case .indexed(let count) = outcome else { return }
        let changes = context.changes
        let news = news ?? [ChangeGroup(of: .messageAdded, conversation: conversation, count: count)]
        // It was the last missing blob: a single message in it was sent just now, and gets its own event.
        if store.wantedCount == 0 {
            for group in news { changes.note(group) }
        } else {
            changes.gather { for group in news { changes.note(group) } }
        }
    }

    /// Handles the removal of the blob under this arrival, if it is a segment's.
    ///
    /// - Parameter record: nil if it rotted.
    func removed(arrival: Int64, of record: Record?) throws {
        defer { context.settleIfNamed() }
        guard let record, let blob = try store.blob(arrival: arrival) else {
            return try chat.segmentRemoved(UInt64(clamping: arrival), nil)
        }
        guard let meta = segments.meta(of: record) else { return }
        try blob.withUnsafeBytes { bytes in
            try chat.segmentRemoved(UInt64(clamping: arrival), segments.sealed(record, meta, bytes))
        }
    }

    // MARK: Rescue

    /// Queues the messages of segments that a device rewrote before it was gone, or away for long, and whose new blobs
    /// nobody has: this device archives them. Otherwise devices that join later would never get them. If one of these
    /// asks for such a blob, some minutes are enough. If several devices do so, the first one's segment serves all.
    func settle() throws {
        for (arrival, record) in try store.shownAside(limit: Limits.rescuedAtOnce, of: context.isAbandoned) {
            if let meta = segments.meta(of: record), let blob = try store.blob(arrival: arrival) {
                try blob.withUnsafeBytes {
                    let sealed = segments.sealed(record, meta, $0)
                    try chat.requeue(sealed, UInt64(clamping: arrival), now: context.changes.now)
                }
            }
            try store.hideAside(arrival: arrival)
        }
    }

    /// The messages of a held segment, and its arrival; nil if it is not here, or unreadable.
    func messages(of record: Record) throws -> (arrival: UInt64, messages: [ChatMessage])? {
        guard let number = store.numbers[record.lane], let meta = segments.meta(of: record),
            let row = try store.row(of: record, lane: number), let arrival = try store.arrival(of: row),
            let blob = try store.blob(arrival: arrival)
        else { return nil }
        return blob.withUnsafeBytes { bytes in
            (try? chat.codec.messages(of: segments.sealed(record, meta, bytes))).map { (UInt64(clamping: arrival), $0) }
        }
    }

    // MARK: For explanations

    /// The records of a lane's segments for a conversation, ascending.
    func records(of conversation: String, lane id: LaneID) throws -> [Record] {
        guard let number = store.numbers[id] else { return [] }
        var found: [Record] = []
        try store.forEachRow(lane: number, from: 0, through: SyncState.Limits.highestSeq) { _, encoded in
            guard let record = try? Record(encoded: encoded), let meta = segments.meta(of: record),
                meta.name.conversationID.utf8.elementsEqual(conversation.utf8)
            else { return }
            found.append(record)
        }
        return found
    }

    /// The segments after a row, in order of rows, and the last row examined; nil at the end.
    ///
    /// - Parameter limit: rows to examine: opening one takes some microseconds.
    package func segments(after row: RowID?, limit: Int) throws -> (places: [SegmentPlace], last: RowID?) {
        let rows = try store.segments(after: row, limit: limit)
        let places = rows.compactMap { row in row.record.flatMap { place(of: $0, arrival: row.arrival) } }
        return (places, rows.last?.id)
    }

    /// Missing segments, newest first.
    ///
    /// - Parameters:
    ///   - conversation: only those of this one; nil for all.
    ///   - limit: wanted rows to examine, newest first: opening one takes some microseconds.
    package func missingSegments(of conversation: String? = nil, limit: Int) throws -> [MissingSegment] {
        guard store.wantedCount > 0 else { return [] }
        let conversation = conversation.map { ExactText($0) }
        return try store.wanted(limit: limit).compactMap { wanted in
            guard let meta = segments.meta(of: wanted.record),
                conversation.map({ $0 == ExactText(meta.name.conversationID) }) ?? true
            else { return nil }
            let (one, other) = (meta.startTimestamp, meta.endTimestamp)
            let shown = try store.shownAside(insteadOf: wanted.record).flatMap { segments.meta(of: $0) }
            return MissingSegment(
                lane: wanted.record.lane, conversationID: meta.name.conversationID,
                times: min(one, other)...max(one, other),
                sum: BlobSum(
                    blobs: 1, messages: meta.messageCount - (shown.map(meta.countShared(with:)) ?? 0),
                    bytes: wanted.blob.sizeBytes),
                arrivedAt: wanted.arrivedAt)
        }
    }

    /// The segment whose blob is stored under an arrival, and when and from whom it came.
    package func segment(arrival: Int64) throws -> (place: SegmentPlace, came: BlobArrival)? {
        guard let came = try store.blobArrival(arrival), let place = place(of: came.record, arrival: arrival) else {
            return nil
        }
        return (place, came)
    }

    private func place(of record: Record, arrival: Int64?) -> SegmentPlace? {
        guard let meta = segments.meta(of: record) else { return nil }
        return SegmentPlace(
            lane: record.lane, seq: record.seq, meta: meta, sizeBytes: record.blob?.sizeBytes ?? 0, arrival: arrival)
    }
}

/// A segment whose record is held: its writer, and whether its messages are here.
package struct SegmentPlace: Sendable {
    package let lane: LaneID
    package let seq: UInt64
    package let meta: SegmentMeta
    /// Bytes of the sealed blob.
    package let sizeBytes: Int
    /// The arrival of its blob; nil while that is missing.
    package let arrival: Int64?
}

/// A gap: messages of one conversation and day whose record is here but whose segment is not. Messages that can still
/// be read from the segment it replaces do not count.
package struct MissingSegment: Sendable, Equatable {
    /// The lane of the device that archived them.
    package let lane: LaneID
    package let conversationID: String
    /// Sender's times of the first and the last message, in seconds.
    package let times: ClosedRange<UInt64>
    package let sum: BlobSum
    /// When its record came here; nil if that is unknown.
    package let arrivedAt: WallTime?
}

extension ChatState {
    /// Queues messages of a segment that is being removed, if no other copy of them is shown.
    fileprivate func requeue(_ sealed: SealedSegment, _ arrivalID: UInt64, now: MonotonicTime) throws {
        try synchronise()
        for message in (try? codec.messages(of: sealed)) ?? [] where try !isDeletedForGood(message) {
            let hash = index.hash(message.txid)
            guard message.hasContent, let found = try index.find(message.txid, hash: hash),
                !found.holder.location.isQueued, found.holder.location.id == arrivalID,
                let number = try conversations.number(of: message.conversationID.utf8, create: true)
            else { continue }
            try enqueue(message, hash: hash, conversation: number, now: now, givenAt: now, isMove: true)
        }
    }
}
