package import NodeCore
import SyncState

/// How far conversations were read, and which part of that this device's markers must show.
///
/// Confined to the chat's thread, and part of its transactions.
package final class ReadPositions {
    private unowned let chat: ChatState
    private let database: Database
    private let conversations: ConversationTable
    private let reader: MessageReader
    private let index: MessageIndex
    private let history: MarkerHistory
    /// Receives markers that keep moved messages read; they wait there for a stable point.
    var keptMarkers: UnpublishedReads?
    /// Set when `keptMarkers` gains a marker. The caller clears it.
    var hasKept = false

    init(_ chat: ChatState, history: MarkerHistory) {
        self.chat = chat
        self.history = history
        (database, conversations, reader, index) = (chat.database, chat.conversations, chat.reader, chat.index)
    }

    /// The effective read position: the join of all markers merged or made here.
    package func position(of conversation: String) throws -> ReadPosition {
        try chat.synchronise()
        guard let number = try conversations.number(of: conversation.utf8, create: false) else { return .empty }
        return try conversations.reading(of: number).position
    }

    /// Marks a conversation as read up to a message, and everything listed before it.
    ///
    /// The position is made from messages held here, so that a wrong unit cannot mark future messages.
    ///
    /// - Parameters:
    ///   - txid: the message, of either direction; nil for the latest received one.
    ///   - unpublished: the previous mark, if no other device was told of it: the new one replaces it.
    /// - Returns: the marker to publish; nil if everything up to there is already read.
    package func mark(
        _ conversation: String, upTo txid: TxID? = nil, wall: WallTime, instead unpublished: ReadMarker? = nil
    ) throws -> ReadMarker? {
        try chat.flush()
        guard let number = try conversations.number(of: conversation.utf8, create: false),
            try conversations.rows(only: number).contains(where: { $0.messages > 0 })
        else {
            // Stubs cannot be read.
            guard txid == nil, try chat.hasConversation(conversation) else { throw ChatError.unknownConversation }
            return nil
        }
        let message = try messageToMark(txid, conversation: conversation, number)
        let reading = try conversations.reading(of: number)
        var position = reading.position.merged(with: try position(upTo: message, number))
        position = position.merged(with: ReadPosition(named: try unnamed(upTo: message, number, position)))
        guard position != reading.position else { return nil }
        let marker = ReadMarker(
            conversationID: conversation, position: try shortened(position), txid: message.txid,
            blockTime: message.blockTime, readAt: wall)
        try store(marker, position, instead: unpublished, before: reading, of: number)
        return marker
    }

    /// Adopts a read position from an old app, whether or not its messages are here yet.
    ///
    /// - Returns: the marker to publish; nil if everything up to there is already read.
    package func adopt(_ marker: ReadMarker) throws -> ReadMarker? {
        try chat.flush()
        guard let number = try conversations.number(of: marker.conversationID.utf8, create: true) else { return nil }
        let reading = try conversations.reading(of: number)
        if reading.position.contains(marker.position) { return nil }
        let position = reading.position.merged(with: marker.position)
        let raised = marker.raised(to: try shortened(position))
        try store(raised, position, instead: nil, before: reading, of: number)
        return raised
    }

    /// Stores a read of this device.
    private func store(
        _ marker: ReadMarker, _ position: ReadPosition, instead unpublished: ReadMarker?,
        before: ConversationTable.Reading, of number: UInt32
    ) throws {
        let after = ConversationTable.Reading(position: position, marker: marker, lane: chat.lane)
        try database.transaction {
            if let unpublished { try history.forget(unpublished, from: chat.lane, conversation: number) }
            try history.add(marker, from: chat.lane, conversation: number)
            try store(after, before: before, of: number)
        }
    }

    /// When and on which device a received message was first read, as far as this device saw; nil if it is unread.
    package func firstRead(of message: ChatMessage) throws -> (readAt: WallTime, lane: LaneID)? {
        guard message.direction == .received,
            let number = try conversations.number(of: message.conversationID.utf8, create: false)
        else { return nil }
        return try history.first(covering: message, conversation: number)
    }

    /// The marker shown for a conversation; nil if nothing was read.
    func shownMarker(_ conversation: String) throws -> ReadMarker? {
        guard let number = try conversations.number(of: conversation.utf8, create: false) else { return nil }
        return try conversations.reading(of: number).marker
    }

    private func messageToMark(_ txid: TxID?, conversation: String, _ number: UInt32) throws -> ChatMessage {
        if let txid {
            guard let copy = try index.find(txid, hash: index.hash(txid))?.message, let message = try chat.shown(copy),
                message.conversationID.utf8.elementsEqual(conversation.utf8)
            else { throw ChatError.unknownMessage }
            return message
        }
        var latest: MessageKey?
        try index.byOrder.scan(from: MessageKey.last(of: number).bytes, descending: true) { entry in
            let key = MessageKey(loading: entry)
            guard key.conversation == number else { return false }
            guard MessageKey.timeAndFlags(loading: entry) & MessageEntry.receivedFlag != 0 else { return true }
            latest = key
            return false
        }
        guard let latest, let message = try chat.shown(at: latest.location) else {
            throw ChatError.nothingReceived
        }
        return message
    }

    /// The position at which a message and everything listed before it is read.
    private func position(upTo message: ChatMessage, _ number: UInt32) throws -> ReadPosition {
        if let score = message.acceptingDaaScore {
            return ReadPosition(scorePoint: ScorePoint(acceptingDaaScore: score, txid: message.txid))
        }
        var position = ReadPosition(
            timeMilliseconds: MessageOrder.time(
                blockTime: message.blockTime, senderTimestamp: message.senderTimestamp))
        // All messages with a score are listed before.
        let scored = MessageKey.first(of: number, from: .firstWithoutScore).predecessor
        if let scored, let last = try index.lastEntry(upTo: scored)?.key, let score = last.order.score,
            let newest = try reader.message(at: last.location)
        {
            position.scorePoint = ScorePoint(acceptingDaaScore: score, txid: newest.txid)
        }
        // So are those in a block, if the message is in none.
        if message.blockTime == nil {
            let inBlocks = MessageKey.first(of: number, from: .firstWithoutBlock).predecessor
            if let inBlocks, let last = try index.lastEntry(upTo: inBlocks), last.key.order.score == nil {
                position.timeMilliseconds = max(position.timeMilliseconds ?? 0, last.timeAndFlags >> 8)
            }
        }
        return position
    }

    /// The positions of all conversations with messages of which something was read, with the marker shown, in order of
    /// their ids.
    package func markers() throws -> [ReadMarker] {
        try chat.flush()
        return try conversations.rows().sorted { $0.name < $1.name }.compactMap { row in
            guard row.reading.position != .empty else { return nil }
            var marker =
                row.reading.marker
                ?? ReadMarker(
                    conversationID: row.name, position: .empty, txid: .zero, readAt: WallTime(milliseconds: 0))
            marker.position = try shortened(row.reading.position)
            return marker
        }
    }

    /// Takes what these markers say together for the effective position: others do not count any more.
    ///
    /// - Returns: true if the position changed.
    func follow(_ markers: [(lane: LaneID, marker: ReadMarker)], in conversation: String) throws -> Bool {
        try chat.synchronise()
        guard let number = try conversations.number(of: conversation.utf8, create: false) else { return false }
        let before = try conversations.reading(of: number)
        let latest = markers.max { $1.marker.isLater(than: $0.marker, lane: $1.lane, otherLane: $0.lane) }
        let position = markers.reduce(ReadPosition.empty) { $0.merged(with: $1.marker.position) }
        guard position != before.position else { return false }
        // The listing must show names where they passed the scales, not where they were named.
        try index.flush()
        let after = ConversationTable.Reading(position: position, marker: latest?.marker, lane: latest?.lane)
        try database.transaction {
            var scales = before.position
            scales.named = position.named
            if !position.contains(scales) { try history.forget(beyond: position, conversation: number) }
            try conversations.store(after, of: number)
            try conversations.setUnread(try index.recountUnread(of: number, position), of: number)
        }
        return true
    }

    /// Joins a marker that arrived, from any device, into the effective position.
    ///
    /// - Returns: true if the position advanced.
    @discardableResult
    package func merge(_ marker: ReadMarker, from lane: LaneID) throws -> Bool {
        try chat.synchronise()
        guard let number = try conversations.number(of: marker.conversationID.utf8, create: true) else { return false }
        var reading = try conversations.reading(of: number)
        let before = reading
        // Even if the position does not advance: it may tell of an earlier time.
        try history.add(marker, from: lane, conversation: number)
        reading.position = reading.position.merged(with: marker.position)
        if let held = reading.marker, let heldLane = reading.lane,
            !marker.isLater(than: held, lane: lane, otherLane: heldLane)
        {
            // The marker shown does not change.
        } else {
            reading.marker = marker
            reading.lane = lane
        }
        let advanced = reading.position != before.position
        guard advanced || reading.marker != before.marker || reading.lane != before.lane else { return false }
        // Entries in memory are counted against the position when they are flushed, so a marker needs no flush.
        try store(reading, before: before, of: number)
        return advanced
    }

    private func store(
        _ after: ConversationTable.Reading, before: ConversationTable.Reading, of number: UInt32
    ) throws {
        try database.transaction {
            try conversations.store(after, of: number)
            guard after.position != before.position else { return }
            guard let read = try index.newlyRead(in: number, from: before.position, to: after.position) else {
                let unread = try index.recountUnread(of: number, after.position)
                return try conversations.setUnread(unread, of: number)
            }
            if read > 0 { try conversations.apply(.init(unread: -read), to: number) }
        }
    }
}

extension MessageOrder {
    /// The first word after all block times.
    static let firstWithoutBlock = MessageOrder(word: 2 << 62)
}

/// Keeping messages read that no scale covers any more (docs/PROTOCOL.md, §4.6).
extension ReadPositions {
    /// New knowledge is about to move a message: if it is already read, it stays read.
    ///
    /// The exception is a message that had a score and gets another, or none: the chain itself moved it, so it is
    /// judged again.
    func keep(_ before: ChatMessage?, _ after: ChatMessage?) throws {
        guard let before, let after, before.direction == .received, !after.isReorged(from: before),
            let number = try conversations.number(of: before.conversationID.utf8, create: false)
        else { return }
        let reading = try conversations.reading(of: number)
        guard reading.position.covers(before), !reading.position.covers(after), let marker = reading.marker else {
            return
        }
        var added = ReadPosition(named: [before.txid])
        if try names(for: reading.position).count >= Limits.namedReads {
            // There is no room for a name: whoever has read this message has read everything listed before it.
            added = ReadPosition(placeOf: after)
        }
        if let first = try history.first(covering: before, conversation: number) {
            // The message was read at that time, not by the change that moves it.
            let earlier = ReadMarker(
                conversationID: before.conversationID, position: added, txid: before.txid, readAt: first.readAt)
            try history.add(earlier, from: first.lane, conversation: number)
        }
        var kept = reading
        kept.position = reading.position.merged(with: added)
        try store(kept, before: reading, of: number)
        try keptMarkers?.put(marker.raised(to: try shortened(kept.position)))
        hasKept = true
    }

    /// The position of a conversation, with no more required names than a marker allows.
    func positionToPublish(_ conversation: String) throws -> ReadPosition {
        let position = try position(of: conversation)
        var placed = try sorted(position).needed.compactMap(\.message)
        guard placed.count > Limits.namedReads,
            let number = try conversations.number(of: conversation.utf8, create: false)
        else { return position }
        placed.sort { ($0.order, $0.txid) < ($1.order, $1.txid) }
        var reading = try conversations.reading(of: number)
        let before = reading
        // Whoever has read a message has read everything listed before it.
        for message in placed.prefix(placed.count - Limits.namedReads) {
            reading.position = reading.position.merged(with: ReadPosition(placeOf: message))
        }
        try store(reading, before: before, of: number)
        return reading.position
    }

    /// The names of a position that a marker of this device must contain.
    ///
    /// All of them, while they are few. Otherwise deleted messages are dropped, then those that a scale has passed
    /// since they are in a block; and if there are still too many, those in no block: they are read by their sender's
    /// time, and `keep` handles a change of that.
    func names(for position: ReadPosition) throws -> [TxID] {
        guard position.named.count > Limits.passedReads else { return position.named }
        let (needed, waiting) = try sorted(position)
        return (needed.map(\.txid) + waiting).prefix(Limits.namedReads).sorted()
    }

    /// The names of a position besides its scales: first messages covered only by their name, those held first; then
    /// those in no block, newest first.
    private func sorted(
        _ position: ReadPosition
    ) throws -> (needed: [(txid: TxID, message: ChatMessage?)], waiting: [TxID]) {
        var placed: [(txid: TxID, message: ChatMessage?)] = []
        var unknown: [(txid: TxID, message: ChatMessage?)] = []
        var waiting: [(time: UInt64, txid: TxID)] = []
        for txid in position.named {
            let hash = index.hash(txid)
            let overlay = try index.overlays.find(txid, hash: hash)
            if overlay?.isDeleted == true { continue }
            guard let copy = try index.find(txid, hash: hash)?.message else {
                unknown.append((txid, nil))
                continue
            }
            let message = overlay?.applied(to: copy) ?? copy
            if message.isUnplaced {
                waiting.append((message.scaleTime, txid))
            } else if !position.isOnScales(
                score: message.acceptingDaaScore, txid: txid, time: message.scaleTime)
            {
                placed.append((txid, message))
            }
        }
        waiting.sort { ($0.time, $0.txid) > ($1.time, $1.txid) }
        return (placed + unknown, waiting.map(\.txid))
    }

    /// The position in a marker's form.
    func shortened(_ position: ReadPosition) throws -> ReadPosition {
        var shortened = position
        shortened.named = try names(for: position)
        return shortened
    }

    /// The received messages in no block that are listed at or before a message, the newest of those not yet named.
    func unnamed(upTo message: ChatMessage, _ number: UInt32, _ position: ReadPosition) throws -> [TxID] {
        guard message.isUnplaced else { return [] }
        let known = Set(position.named)
        var found: [TxID] = []
        let bound = MessageKey.last(of: number, upTo: message.order, prefix: message.txid.storage.w0)
        try index.byOrder.scan(from: bound.bytes, descending: true) { entry in
            let key = MessageKey(loading: entry)
            guard key.conversation == number, key.order >= .firstWithoutBlock, found.count < Limits.namedAtOnce else {
                return false
            }
            guard MessageKey.timeAndFlags(loading: entry) & MessageEntry.receivedFlag != 0,
                let txid = try reader.message(at: key.location)?.txid, !known.contains(txid),
                key.order < message.order || txid <= message.txid
            else { return true }
            found.append(txid)
            return true
        }
        return found
    }
}

extension ReadPosition {
    /// The smallest position whose scales cover a message.
    fileprivate init(placeOf message: ChatMessage) {
        if let score = message.acceptingDaaScore {
            self.init(scorePoint: ScorePoint(acceptingDaaScore: score, txid: message.txid))
        } else {
            self.init(timeMilliseconds: message.scaleTime)
        }
    }
}

extension ChatMessage {
    /// Neither accepted nor in a block, as far as known: only its sender's clock gives its position.
    var isUnplaced: Bool { acceptingDaaScore == nil && blockTime == nil }

    /// True if the chain moved it from its position.
    fileprivate func isReorged(from before: ChatMessage) -> Bool {
        guard let score = before.acceptingDaaScore, score != acceptingDaaScore else { return false }
        return acceptingDaaScore != nil || status == .reorged
    }

    /// Its time on the time scale of read positions, in milliseconds.
    var scaleTime: UInt64 { MessageOrder.time(blockTime: blockTime, senderTimestamp: senderTimestamp) }
}
