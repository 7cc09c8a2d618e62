import NodeCore

extension MessageIndex {
    /// How many messages are read at a position that were unread at the one before, which it contains.
    ///
    /// Looks at the entries between the two only: those that the score scale passed, and those that the time scale
    /// passed. Where the time scale rose, messages with a score beyond both points may be read too; they are looked at.
    ///
    /// - Returns: nil where that cannot be told, since a marked message itself lies where it cannot be read: its key
    ///   alone does not say on which side of the point it is, nor how it was counted.
    func newlyRead(in conversation: UInt32, from old: ReadPosition, to new: ReadPosition) throws -> Int? {
        var count = 0
        var isCertain = true
        let points = [old.scorePoint, new.scorePoint].compactMap(\.self)
        func look(from low: MessageKey, through high: MessageKey) throws {
            try byOrder.scan(from: low.bytes) { entry in
                let key = MessageKey(loading: entry)
                guard key <= high else { return false }
                let value = MessageKey.timeAndFlags(loading: entry)
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

    /// True if a message with this key is the marked one, or begins as it does.
    private static func isAt(_ point: ScorePoint, _ key: MessageKey) -> Bool {
        key.order.score == point.acceptingDaaScore && key.prefix == point.txid.storage.w0
    }

    /// The least key of messages at a point of the score scale.
    static func firstKey(at point: ScorePoint, of conversation: UInt32) -> MessageKey {
        var key = MessageKey.first(of: conversation, from: MessageOrder(word: point.acceptingDaaScore))
        key.prefix = point.txid.storage.w0
        return key
    }
}
