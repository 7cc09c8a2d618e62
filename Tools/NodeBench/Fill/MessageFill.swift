import Chat
import NodeCore
import SyncState

/// A long chat history: the messages of a shorter one repeated, each time later and with new txids, accepted and cut by
/// their own clock.
struct MessageFill {
    /// In order of their times.
    let messages: [ChatMessage]
    let repetitions: Int
    let seed: UInt64

    /// Returns the txids of the newest messages, newest first.
    func fill(_ zone: AccountZone, newest: Int) throws -> [TxID] {
        var random = SeededRandom(seed: seed)
        let day: UInt64 = 86_400
        guard let first = messages.first, let last = messages.last else { return [] }
        let span = ((last.senderTimestamp - first.senderTimestamp) / day + 1) * day
        var latest: [TxID] = []
        var inCommit = 0
        var now = MonotonicTime.zero
        for repetition in 0..<repetitions {
            let shift = span * UInt64(repetition)
            for original in messages {
                var message = original
                message.txid = TxID(bytes: random.bytes(32)) ?? original.txid
                message.senderTimestamp += shift
                message.blockTime = message.blockTime.map { $0 + shift * 1_000 }
                message.acceptingDaaScore = message.acceptingDaaScore.map { $0 + shift * 10 }
                now = MonotonicTime(nanoseconds: Int64(message.senderTimestamp) * 1_000_000_000)
                func cutIfDue() throws {
                    if let deadline = zone.chat.nextCutDeadline, deadline <= now {
                        try zone.cut(force: false, now: now)
                    }
                }
                try cutIfDue()
                _ = try zone.accept(message, now: now)
                try cutIfDue()
                latest.append(message.txid)
                if latest.count >= 2 * newest + 4_096 { latest.removeFirst(latest.count - newest) }
                inCommit += 1
                if inCommit % 4_096 == 0 { try zone.commit() }
            }
            _ = zone.store.takeWritten()
        }
        try zone.cut(force: true, now: now)
        try zone.commitUntold()
        return latest.suffix(newest).reversed()
    }
}
