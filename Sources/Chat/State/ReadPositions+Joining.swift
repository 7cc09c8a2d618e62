import NodeCore
import SyncState

/// What several markers say of one conversation, in one.
extension ReadPositions {
    /// Of each kind of bounds the furthest. What none of them says is added only where there is no room for all that
    /// they name (`fitted`).
    ///
    /// - Precondition: there is at least one.
    func joined(_ markers: [ReadMarker]) throws -> ReadMarker {
        let latest = markers.max { $0.readAt < $1.readAt } ?? markers[0]
        let (bounds, named) = try united(markers.flatMap(\.bounds), in: latest.conversationID)
        return try shortened(latest.with(bounds: bounds, named: markers.flatMap(\.named) + named))
    }

    /// The part of marks that counts here.
    func heldPart(of markers: [ReadMarker]) throws -> ReadMarker {
        let joined = try joined(markers)
        let bounds = try joined.bounds.filter { try held($0.txid, in: joined.conversationID) != nil }
        return joined.with(bounds: bounds, named: joined.named)
    }

    /// Bounds of which no two name one message, since a marker has one of each.
    ///
    /// - Returns: also the messages that are read by themselves because a bound was replaced.
    private func united(
        _ bounds: [ReadBound], in conversation: String
    ) throws -> (bounds: [ReadBound], named: [TxID]) {
        func furthest(_ bounds: some Sequence<ReadBound>) -> [TxID: ReadBound] {
            Dictionary(bounds.map { ($0.txid, $0) }) { $0.joined(with: $1) }
        }
        var byScore = furthest(bounds.lazy.filter { $0.acceptingDaaScore != nil })
        var byTime = furthest(bounds.lazy.filter { $0.acceptingDaaScore == nil })
        var named: [TxID] = []
        for (txid, bound) in byScore.sorted(by: { $0.key < $1.key }) where byTime[txid] != nil {
            guard let message = try held(txid, in: conversation), let score = bound.acceptingDaaScore else {
                byTime[txid] = nil
                continue
            }
            // The one that reaches by time stays; the message before it stands for the other, as where it is marked.
            byScore[txid] = nil
            let now = message.acceptingDaaScore
            if now ?? 0 <= score { named.append(txid) }
            let point = ScorePoint(acceptingDaaScore: min(score, now ?? score), txid: txid)
            let before = try newestMessage(before: point, in: conversation) { other in
                if byTime[other.txid] != nil { named.append(other.txid) }
                return byTime[other.txid] == nil
            }
            guard let last = before else { continue }
            byScore[last.txid] = byScore[last.txid]?.joined(with: ReadBound(last)) ?? ReadBound(last)
        }
        return (Array(byScore.values) + Array(byTime.values), named)
    }

    private func newestMessage(
        before point: ScorePoint, in conversation: String, where isWanted: (ChatMessage) -> Bool
    ) throws -> ChatMessage? {
        try chat.flush()
        guard let number = try conversations.number(of: conversation.utf8, create: false) else { return nil }
        return try newestMessage(before: point, number, where: isWanted).first
    }
}
