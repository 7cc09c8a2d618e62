import NodeCore
import SyncState

/// Keeping messages read that no scale covers any more (docs/PROTOCOL-CHAT.md, §4.6).
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
        guard reading.position.covers(before), !reading.position.covers(after), let own else { return }
        // The message was read at that time, not by the change that moves it.
        let first = try history.first(covering: before, conversation: number)
        let known =
            try own.ownMark(of: before.conversationID)
            ?? ReadMarker(
                conversationID: before.conversationID, readAt: first?.readAt ?? WallTime(milliseconds: 0))
        let isFull = try sorted(known).needed.count >= Limits.namedReads
        // If there is no room for a name, whoever has read this message has read everything listed before it.
        let bound = ReadBound(after)
        let added = isFull ? bound.reach(after) : ReadPosition(named: [after.txid])
        if let first {
            try history.add(added, at: first.readAt, from: first.lane, conversation: number)
        }
        var kept = reading
        kept.position = reading.position.merged(with: added)
        try database.transaction { try store(kept, before: reading, of: number) }
        try own.keep(
            shortened(
                known.with(
                    bounds: known.bounds + (isFull ? [bound] : []), named: known.named + (isFull ? [] : [after.txid]))))
    }

    /// The names that a mark must contain.
    ///
    /// All of them, while they are few. Otherwise deleted messages are dropped, then those that a scale has passed
    /// since they are in a block; and if there are still too many, those in no block: they are read by their sender's
    /// time, and `keep` handles a change of that.
    func names(of marker: ReadMarker) throws -> [TxID] {
        guard marker.named.count > Limits.passedReads else { return marker.named }
        let (needed, waiting) = try sorted(marker)
        return Array((needed + waiting).prefix(Limits.namedReads))
    }

    /// The names of a mark: first messages that only their name covers; then those in no block, newest first.
    private func sorted(_ marker: ReadMarker) throws -> (needed: [TxID], waiting: [TxID]) {
        let position = try reach(of: marker, isWaiting: true).position
        var needed: [TxID] = []
        var unknown: [TxID] = []
        var waiting: [(time: UInt64, txid: TxID)] = []
        for txid in marker.named {
            let hash = index.hash(txid)
            let overlay = try index.overlays.find(txid, hash: hash)
            if overlay?.isDeleted == true { continue }
            guard let copy = try index.find(txid, hash: hash)?.message else {
                unknown.append(txid)
                continue
            }
            let message = overlay?.applied(to: copy) ?? copy
            if message.isUnplaced {
                waiting.append((message.scaleTime, txid))
            } else if !position.isOnScales(
                score: message.acceptingDaaScore, txid: txid, time: message.scaleTime)
            {
                needed.append(txid)
            }
        }
        waiting.sort { ($0.time, $0.txid) > ($1.time, $1.txid) }
        return (needed + unknown, waiting.map(\.txid))
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

extension ChatMessage {
    /// Neither accepted nor in a block, as far as known: only its sender's clock gives its position.
    var isUnplaced: Bool { acceptingDaaScore == nil && blockTime == nil }

    /// True if the chain moved it from its position.
    fileprivate func isReorged(from before: ChatMessage) -> Bool {
        guard let score = before.acceptingDaaScore, score != acceptingDaaScore else { return false }
        return acceptingDaaScore != nil || status == .reorged
    }
}
