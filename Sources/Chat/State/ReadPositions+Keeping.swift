import NodeCore
import SyncState

/// Keeping messages read that no scale covers any more (docs/PROTOCOL-CHAT.md, §4.6).
extension ReadPositions {
    /// Keeps a message read that new knowledge is about to move, if it is already read.
    ///
    /// The exception is a message that had a score and gets another, or none: the chain itself moved it, so it is
    /// judged again.
    func keep(_ before: ChatMessage?, _ after: ChatMessage?) throws {
        guard let before, let after, before.direction == .received, !after.isReorged(from: before),
            let number = try conversations.number(of: before.conversationID.utf8, create: false)
        else { return }
        let reading = try conversations.reading(of: number)
        guard reading.position.covers(before), let own,
            try !reading.position.covers(after) || isNameGoing(after, reading.position)
        else { return }
        // The message was read at that time, not by the change that moves it.
        let first = try history.first(covering: before, conversation: number)
        let known =
            try own.ownMark(of: before.conversationID)
            ?? ReadMarker(
                conversationID: before.conversationID, readAt: first?.readAt ?? WallTime(milliseconds: 0))
        let added = ReadPosition(named: [after.txid])
        if let first {
            try history.add(added, at: first.readAt, from: first.lane, conversation: number)
        }
        var kept = reading
        kept.position = reading.position.merged(with: added)
        try database.transaction { try store(kept, before: reading, of: number) }
        try own.keep(shortened(known.with(bounds: known.bounds, named: known.named + [after.txid]), moving: after))
    }

    /// True if a message is read only by a name of this device that its newest mark has no room for: what was published
    /// before counts until the next commit, or until that mark replaces it.
    private func isNameGoing(_ message: ChatMessage, _ position: ReadPosition) throws -> Bool {
        let (score, time) = (message.acceptingDaaScore, message.scaleTime)
        guard !position.isOnScales(score: score, txid: message.txid, time: time), let own else { return false }
        return try !own.isNamed(message.txid, in: message.conversationID)
    }

    /// A mark with no more names than it may have.
    ///
    /// All of them, while they are few. Otherwise deleted messages are dropped, then those that a scale has passed
    /// since they are in a block. If there are still too many, those in no block go, which are read by their sender's
    /// time, and `keep` handles a change of that; and if that is not enough, a bound takes the place of the first ones.
    func fitted(_ marker: ReadMarker, moving moved: ChatMessage? = nil) throws -> ReadMarker {
        guard marker.named.count > Limits.passedReads else { return marker }
        var (needed, unknown, waiting) = try sorted(marker, moving: moved)
        let added = Self.bounds(
            insteadOf: needed.count + unknown.count - Limits.namedReads, of: &needed,
            besides: Set(marker.bounds.map(\.txid)))
        let named = needed.map(\.txid) + unknown + waiting.map(\.txid)
        return marker.with(bounds: marker.bounds + added, named: Array(named.prefix(Limits.namedReads)))
    }

    /// Takes away the names for which there is no room, the first ones by score, then by time: having read the last of
    /// these means having read everything listed before it.
    ///
    /// - Parameters:
    ///   - excess: how many are too many.
    ///   - others: messages that have bounds of another kind.
    /// - Returns: the bounds that cover them.
    private static func bounds(
        insteadOf excess: Int, of needed: inout [ChatMessage], besides others: Set<TxID>
    ) -> [ReadBound] {
        var (excess, bounds) = (excess, [ReadBound]())
        for hasScore in [true, false] {
            guard excess > 0 else { break }
            let listed = needed.filter { ($0.acceptingDaaScore != nil) == hasScore }
                .sorted { ($0.order, $0.txid) < ($1.order, $1.txid) }
            let free = listed.indices.filter { !others.contains(listed[$0].txid) }
            guard let last = free.first(where: { $0 >= excess - 1 }) ?? free.last else { continue }
            bounds.append(ReadBound(listed[last]))
            let covered = Set(listed[...last].map(\.txid))
            needed.removeAll { covered.contains($0.txid) }
            excess -= covered.count
        }
        return bounds
    }

    /// The names of a mark: messages that only their name covers; those that are not held; and those in no block,
    /// newest first.
    private func sorted(
        _ marker: ReadMarker, moving moved: ChatMessage?
    ) throws -> (needed: [ChatMessage], unknown: [TxID], waiting: [ChatMessage]) {
        let position = try reach(of: marker, isWaiting: true).position
        var needed: [ChatMessage] = []
        var unknown: [TxID] = []
        var waiting: [ChatMessage] = []
        for txid in marker.named {
            let hash = index.hash(txid)
            let overlay = try index.overlays.find(txid, hash: hash)
            if overlay?.isDeleted == true { continue }
            guard let copy = try index.find(txid, hash: hash)?.message else {
                unknown.append(txid)
                continue
            }
            var message = overlay?.applied(to: copy) ?? copy
            if let moved, moved.txid == txid { message = moved }
            if message.isUnplaced {
                waiting.append(message)
            } else if !position.isOnScales(
                score: message.acceptingDaaScore, txid: txid, time: message.scaleTime)
            {
                needed.append(message)
            }
        }
        waiting.sort { ($0.scaleTime, $0.txid) > ($1.scaleTime, $1.txid) }
        return (needed, unknown, waiting)
    }

    /// The received messages in no block that are listed at or before a message, the newest of those not yet named.
    func unnamed(upTo message: ChatMessage, _ number: UInt32, _ position: ReadPosition) throws -> [TxID] {
        guard message.isUnplaced else { return [] }
        let known = Set(position.named)
        var found: [TxID] = []
        let bound = MessageKey.last(of: number, upTo: message.order, prefix: message.txid.storage.w0)
        try index.scan(from: bound, descending: true) { key, timeAndFlags in
            guard key.order >= .firstWithoutBlock, found.count < Limits.namedAtOnce else { return false }
            guard timeAndFlags & MessageEntry.receivedFlag != 0,
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
