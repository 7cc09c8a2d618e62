import NodeCore
import SyncState

/// Messages that stay read although no scale covers them any more (docs/PROTOCOL.md, §4.6).
extension ChatState {
    /// What is about to be known of a message moves it: if it is read before, it stays so.
    ///
    /// But for one that had a score and gets another, or none: the chain itself moved it, and it is judged anew.
    func keepRead(_ before: ChatMessage?, _ after: ChatMessage?) throws {
        guard let before, let after, before.direction == .received, !after.isReorged(from: before),
            let number = try conversations.number(of: before.conversationID.utf8, create: false)
        else { return }
        let reading = try conversations.reading(of: number)
        guard reading.position.covers(before), !reading.position.covers(after), let marker = reading.marker else {
            return
        }
        var added = ReadPosition(named: [before.txid])
        if try names(for: reading.position).count >= Limits.namedReads {
            // No room for a name: whoever has read this message has read what is listed before it.
            added = ReadPosition(placeOf: after)
        }
        if let first = try history.first(covering: before, conversation: number) {
            // It was read when it was, and not by what moves it.
            let earlier = ReadMarker(
                conversationID: before.conversationID, position: added, txid: before.txid, readAt: first.readAt)
            try history.add(earlier, from: first.lane, conversation: number)
        }
        var kept = reading
        kept.position = reading.position.merged(with: added)
        try store(kept, before: reading, of: number)
        try keptReads?.put(marker.raised(to: try shortened(kept.position)))
        hasKeptReads = true
    }

    /// How far a conversation was read, with no more names that are needed than a marker takes.
    func positionToPublish(_ conversation: String) throws -> ReadPosition {
        let position = try readPosition(conversation)
        var placed = try sorted(position).needed.compactMap(\.message)
        guard placed.count > Limits.namedReads,
            let number = try conversations.number(of: conversation.utf8, create: false)
        else { return position }
        placed.sort { ($0.order, $0.txid) < ($1.order, $1.txid) }
        var reading = try conversations.reading(of: number)
        let before = reading
        // Whoever has read a message has read what is listed before it.
        for message in placed.prefix(placed.count - Limits.namedReads) {
            reading.position = reading.position.merged(with: ReadPosition(placeOf: message))
        }
        try store(reading, before: before, of: number)
        return reading.position
    }

    /// The messages that a marker of this device has to name, of those that its position names.
    ///
    /// All, as long as they are few. Else those go that are deleted, or passed by a scale since they are in a block;
    /// and if there are too many still, those that are in no block: they are read by their sender's time, and
    /// `keepRead` is there when that changes.
    func names(for position: ReadPosition) throws -> [TxID] {
        guard position.named.count > Limits.passedReads else { return position.named }
        let (needed, waiting) = try sorted(position)
        return (needed.map(\.txid) + waiting).prefix(Limits.namedReads).sorted()
    }

    /// What a position names beside its scales: what only its name covers, held messages first; and what is in no
    /// block, the newest first.
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

    /// The position as a marker has it.
    func shortened(_ position: ReadPosition) throws -> ReadPosition {
        var shortened = position
        shortened.named = try names(for: position)
        return shortened
    }

    /// Takes names out of a position that no marker needs any more: what they stand for is read without them.
    func forget(names: [TxID], of conversation: String) throws {
        guard !names.isEmpty, let number = try conversations.number(of: conversation.utf8, create: false) else {
            return
        }
        // The listing is to have them where they are passed, and not where they were named.
        try index.flush()
        var reading = try conversations.reading(of: number)
        reading.position.named.removeAll { names.contains($0) }
        try conversations.store(reading, of: number)
    }

    /// The received messages in no block that are listed at or before one, the newest of those that are not named yet.
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
    /// The least position whose scales cover a message.
    fileprivate init(placeOf message: ChatMessage) {
        if let score = message.acceptingDaaScore {
            self.init(scorePoint: ScorePoint(acceptingDaaScore: score, txid: message.txid))
        } else {
            self.init(timeMilliseconds: message.scaleTime)
        }
    }
}

extension ChatMessage {
    /// Neither accepted nor in a block, as far as is known: only its sender's clock says where it stands.
    var isUnplaced: Bool { acceptingDaaScore == nil && blockTime == nil }

    /// True if the chain took it from the place that it had.
    fileprivate func isReorged(from before: ChatMessage) -> Bool {
        guard let score = before.acceptingDaaScore, score != acceptingDaaScore else { return false }
        return acceptingDaaScore != nil || status == .reorged
    }

    /// Its time on the time scale of read positions, in milliseconds.
    var scaleTime: UInt64 { MessageOrder.time(blockTime: blockTime, senderTimestamp: senderTimestamp) }
}
