import NodeCore
import SyncState

extension MessageIndex {
    /// The number of messages that become read when a position advances to one that contains it.
    ///
    /// Only examines newly named messages and the entries between the two positions, on the score scale and on the time
    /// scale. If the time scale rose, messages with a score beyond both points may have become read too; they are
    /// examined.
    ///
    /// - Returns: nil if it cannot be determined because a marked message is unreadable: its key alone does not tell on
    ///   which side of the point it is, nor how it was counted.
    func newlyRead(in conversation: UInt32, from old: ReadPosition, to new: ReadPosition) throws -> Int? {
        guard var count = try newlyNamed(in: conversation, from: old, to: new) else { return nil }
        var old = old
        old.named = new.named
        var isCertain = true
        let points = [old.scorePoint, new.scorePoint].compactMap(\.self)
        func look(from low: MessageKey, through high: MessageKey) throws {
            try scan(from: low) { key, value in
                guard key <= high else { return false }
                if points.contains(where: { Self.isAt($0, key) }), try reader.message(at: key.location) == nil {
                    isCertain = false
                    return false
                }
                if try isUnread(key, value, old), try !isUnread(key, value, new) { count += 1 }
                return true
            }
        }

        let isTimeRaised = new.timeMilliseconds != old.timeMilliseconds
        if isTimeRaised || new.scorePoint != old.scorePoint {
            let low =
                old.scorePoint.map { Self.firstKey(at: $0, of: conversation) } ?? MessageKey.first(of: conversation)
            let lastScore = MessageOrder(word: MessageOrder.firstWithoutScore.word - 1)
            var high = MessageKey.last(of: conversation, upTo: lastScore)
            if !isTimeRaised, let point = new.scorePoint {
                high = .last(
                    of: conversation, upTo: MessageOrder(word: point.acceptingDaaScore), prefix: point.txid.storage.w0)
            }
            try look(from: low, through: high)
        }
        guard isCertain else { return nil }
        guard isTimeRaised, let time = new.timeMilliseconds else { return count }
        for base in [MessageOrder.firstWithoutScore, .firstWithoutBlock] {
            try look(
                from: .first(of: conversation, from: MessageOrder(word: base.word | (old.timeMilliseconds ?? 0))),
                through: .last(of: conversation, upTo: MessageOrder(word: base.word | time)))
        }
        return count
    }

    /// Number of unread messages that become read only by being named; nil if one of them is unreadable.
    private func newlyNamed(in conversation: UInt32, from old: ReadPosition, to new: ReadPosition) throws -> Int? {
        guard new.named != old.named else { return 0 }
        var count = 0
        for txid in new.named where !old.named.contains(txid) {
            let hash = hash(txid)
            guard let found = try findInTrees(txid, hash: hash) else { continue }
            guard let copy = found.message else { return nil }
            guard let key = try listedKey(of: copy, hash: hash, at: found.holder.location),
                key.conversation == conversation, let value = try listedValue(of: key)
            else { continue }
            if try isUnread(key, value, old, txid: txid) { count += 1 }
        }
        return count
    }

    /// The listing's key of a copy that the tree holds; nil if it is not listed.
    private func listedKey(of copy: ChatMessage, hash: UInt64, at location: MessageLocation) throws -> MessageKey? {
        switch try overlays.find(copy.txid, hash: hash)?.listing {
        case .at(let key): return key
        case .nowhere: return nil
        case .asCopy, nil:
            guard let conversation = try conversations.number(of: copy.conversationID.utf8, create: false) else {
                return nil
            }
            return MessageEntry(copy, hash: hash, location: location, conversation: conversation).key
        }
    }

    /// Time and flags of a key in the listing; nil if it is not there.
    func listedValue(of key: MessageKey) throws -> UInt64? {
        try byOrder.find(key.bytes).map { bytes in bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    }

    /// True if a message with this key is the marked one, or has the same prefix.
    private static func isAt(_ point: ScorePoint, _ key: MessageKey) -> Bool {
        key.order.score == point.acceptingDaaScore && key.prefix == point.txid.storage.w0
    }

    /// The smallest key of messages at a point of the score scale.
    static func firstKey(at point: ScorePoint, of conversation: UInt32) -> MessageKey {
        var key = MessageKey.first(of: conversation, from: MessageOrder(word: point.acceptingDaaScore))
        key.prefix = point.txid.storage.w0
        return key
    }
}
