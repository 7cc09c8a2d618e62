package import NodeCore
import SyncState

/// Messages: accepted, cut into segments, read.
extension AccountZone {
    /// Takes a message that the app sent or received.
    ///
    /// - Parameter isHistory: it is one of many that are imported, and whoever imports cuts them in the end.
    /// - Throws: `ChatMessageError` with the field and the limit; nothing is changed then.
    package func accept(
        _ message: ChatMessage, isHistory: Bool = false, now: MonotonicTime
    ) throws -> Acceptance {
        try store.begin()
        defer { publishLater() }
        return try chat.add(message, isHistory: isHistory, now: now)
    }

    /// Cuts what is due; all that is queued, where `force`. The number of segments that were written. While the account
    /// pauses nothing is due.
    @discardableResult
    package func cut(force: Bool, now: MonotonicTime) throws -> Int {
        guard chat.queuedCount > 0, force || pause == nil else { return 0 }
        try store.begin()
        return try chat.cut(force: force, now: now) { try write($0) }
    }

    package var hasQueued: Bool { chat.queuedCount > 0 }

    /// Held segments of newer payload versions, by version: kept and served, and not read here.
    package func newerSegments() throws -> [NewerSegmentCount] { try chat.newerSegments.counts() }

    /// When queued messages become segments.
    package var archivePolicy: ArchivePolicy {
        get { chat.queue.policy }
        set { chat.queue.policy = newValue }
    }

    func write(_ draft: SegmentDraft) throws -> UInt64 {
        try write(draft, under: store.segmentTag(of: draft.meta.name.text))
    }

    /// Seals and stores a segment; the caller indexes it.
    func write(_ draft: SegmentDraft, under tag: Bytes16) throws -> UInt64 {
        isCutting = true
        defer { isCutting = false }
        let name = draft.meta.name.text
        let archiveKey = sealer.current.archive
        let record = try store.write(
            RecordMeta(type: .segment, tag: tag, fields: draft.meta.encoded), slotName: name, kind: .segment
        ) { header in
            SegmentCodec.seal(
                draft, header: header.blobAssociatedData, archiveKey: archiveKey, random: &self.random)
        }
        try store.rememberSegment(name, tag: tag, record: record)
        return UInt64(store.latestArrival)
    }

    // MARK: Reading

    /// Records a read here at once; it is published at the next stable point.
    ///
    /// - Parameter txid: nil for the latest received message.
    /// - Returns: whether the position advanced.
    package func markRead(_ conversation: String, upTo txid: TxID?, now: MonotonicTime, wall: WallTime) throws -> Bool {
        try store.begin()
        let before = try unpublished.marker(of: conversation)
        let marker = try chat.markRead(conversation, upTo: txid, wall: wall, instead: before)
        if try chat.details(conversation).isMarkedUnread?.value == true {
            try change(conversation, [.markedUnread(false)], wall: wall)
        }
        guard let marker else { return false }
        try unpublished.put(marker)
        noteRead(conversation)
        publishDeadline = now + policy.quiet
        return true
    }

    /// Takes over how far an old app says that a conversation was read, whether or not the messages are here yet. Waits
    /// for the next stable point, as every read does.
    ///
    /// - Parameters:
    ///   - txid: the message that was read last, where that is known.
    ///   - blockTime: its block time in milliseconds.
    /// - Returns: whether the position advanced.
    package func adoptRead(
        _ conversation: String, txid: TxID?, blockTime: UInt64, now: MonotonicTime, wall: WallTime
    ) throws -> Bool {
        guard (1...Limits.conversationIDBytes).contains(conversation.utf8.count) else {
            throw ConversationDetailsError.badConversationID
        }
        // Nobody has read what is still to come: a time in another unit marks nothing.
        guard blockTime <= Limits.timeMilliseconds, blockTime <= UInt64(clamping: wall.milliseconds) else {
            throw ReadImportError.inTheFuture
        }
        try store.begin()
        let marker = ReadMarker(
            conversationID: conversation, position: ReadPosition(timeMilliseconds: blockTime), txid: txid ?? .zero,
            blockTime: blockTime, readAt: wall)
        guard let adopted = try chat.adoptRead(marker) else { return false }
        try unpublished.put(adopted)
        noteRead(conversation)
        publishDeadline = now + policy.quiet
        return true
    }

    /// Takes over how far a conversation was read elsewhere, from an archive; published with the next reads.
    ///
    /// - Returns: whether the position advanced.
    package func adoptRead(_ marker: ReadMarker, now: MonotonicTime) throws -> Bool {
        try store.begin()
        guard try chat.mergeRead(marker, from: lane) else { return false }
        try unpublished.put(marker)
        publishDeadline = now + policy.quiet
        return true
    }

    /// The user left the conversation: what was read there is published.
    package func leave(_ conversation: String) throws {
        guard let marker = try unpublished.marker(of: conversation) else { return }
        try store.begin()
        try publish(marker)
    }

    /// Publishes all reads: in the background, at the end, and after a time of quiet.
    package func publishReads() throws {
        publishDeadline = nil
        for marker in try unpublished.all() {
            try store.begin()
            try publish(marker)
        }
    }

    private func publish(_ marker: ReadMarker) throws {
        let conversation = marker.conversationID
        let position = try chat.positionToPublish(conversation)
        if try !livePosition(conversation).contains(chat.shortened(position)) { try writeMarker(marker, to: position) }
        try unpublished.remove(conversation)
        let shown = try livePosition(conversation).named
        // Behind it: what that finds moved waits for the next stable point.
        try chat.forget(names: position.named.filter { !shown.contains($0) }, of: conversation)
    }

    /// What the live registers alone say of a conversation: what a newcomer would compute.
    package func livePosition(_ conversation: String) throws -> ReadPosition {
        try liveMarkers.position(of: conversation)
    }

    // MARK: Opaque blobs

    /// Stores bytes that only the app understands, as an immutable record of their own.
    package func addOpaque(name: String, _ payload: [UInt8]) throws {
        let fields = OpaqueName(name)
        let key = HKDF.derive(sealer.current.archive, "opaque", Array(name.utf8))
        try store.write(
            RecordMeta(type: .opaque, fields: fields.encoded), slotName: fields.slotName, kind: .immutable
        ) { header in
            XChaChaPoly.seal(payload, associatedData: header.blobAssociatedData, key: key, random: &self.random)
        }
    }
}
