package import NodeCore
import SyncState

/// How far a conversation was read: on two scales that only grow, and by name.
///
/// A message is read if it has a score and is at or below the score point, or if its time is at or below the time. The
/// time is raised only by shown messages without a score: by block time, otherwise by the sender's clock. So a sender's
/// wrong clock reaches no further than the messages that were on the screen.
///
/// A message that was read before it was in a block gets another time with the block, which may be beyond both scales.
/// It is named until the scales have passed it.
///
/// It is never sent: it follows from the marks that count here, and the messages that are held.
///
/// Positions are joined by the maximum on each scale and the union of the names: commutative, associative, idempotent.
package struct ReadPosition: Sendable, Hashable, Joinable {
    package var scorePoint: ScorePoint?
    /// Milliseconds since 1970.
    package var timeMilliseconds: UInt64?
    /// Messages that are read wherever they are; ascending and unique.
    package var named: [TxID] = []

    package static let empty = ReadPosition()

    /// - Parameter named: in any order.
    package init(scorePoint: ScorePoint? = nil, timeMilliseconds: UInt64? = nil, named: [TxID] = []) {
        self.scorePoint = scorePoint
        self.timeMilliseconds = timeMilliseconds
        self.named = named.isEmpty ? [] : Set(named).sorted()
    }

    /// The join: everything that either covers.
    package func merged(with other: ReadPosition) -> ReadPosition {
        ReadPosition(
            scorePoint: [scorePoint, other.scorePoint].compactMap { $0 }.max(),
            timeMilliseconds: [timeMilliseconds, other.timeMilliseconds].compactMap { $0 }.max(),
            named: named + other.named)
    }

    /// True if a message is read at this position.
    package func covers(_ message: ChatMessage) -> Bool {
        covers(
            score: message.acceptingDaaScore, txid: message.txid,
            time: MessageOrder.time(blockTime: message.blockTime, senderTimestamp: message.senderTimestamp))
    }

    /// True if a message with this score, if it has one, and this time in milliseconds is read.
    package func covers(score: UInt64?, txid: TxID, time: UInt64) -> Bool {
        isOnScales(score: score, txid: txid, time: time) || named.contains(txid)
    }

    /// True if a message is read by its score or its time alone.
    func isOnScales(score: UInt64?, txid: TxID, time: UInt64) -> Bool {
        if let timeMilliseconds, time <= timeMilliseconds { return true }
        guard let score, let scorePoint else { return false }
        return ScorePoint(acceptingDaaScore: score, txid: txid) <= scorePoint
    }

    /// The position as array [score or null, txid or null, time or null], followed by the names, if any.
    func write(to writer: inout CBORWriter) {
        writer.writeArray(named.isEmpty ? 3 : 4)
        writer.write(scorePoint?.acceptingDaaScore, scorePoint?.txid, timeMilliseconds)
        if !named.isEmpty { writer.write(all: named) }
    }

    /// - Parameter limit: the maximum number of names. Several devices together may name more than one marker may.
    init(from reader: inout CBORReader, maxNamed limit: Int) throws(CBORError) {
        let start = reader.position
        let count = try reader.readArray(max: 4)
        guard count >= 3 else { throw .wrongSize(at: start) }
        if try reader.readNullIfPresent() {
            guard try reader.readNullIfPresent() else { throw .unexpectedType(at: reader.position) }
        } else {
            scorePoint = ScorePoint(
                acceptingDaaScore: try reader.readUInt(max: Limits.acceptingDaaScore), txid: try reader.read(TxID.self))
        }
        timeMilliseconds = try reader.readUIntIfPresent(max: Limits.timeMilliseconds)
        guard count == 4 else { return }
        named = try reader.readAscending(max: limit)
        guard !named.isEmpty else { throw .outOfRange(at: start) }
    }
}

/// A point on the score scale: the accepting score of a message, then its txid.
package struct ScorePoint: Sendable, Hashable, Comparable {
    package let acceptingDaaScore: UInt64
    package let txid: TxID

    package init(acceptingDaaScore: UInt64, txid: TxID) {
        (self.acceptingDaaScore, self.txid) = (acceptingDaaScore, txid)
    }

    package static func < (left: ScorePoint, right: ScorePoint) -> Bool {
        left.acceptingDaaScore != right.acceptingDaaScore
            ? left.acceptingDaaScore < right.acceptingDaaScore : left.txid < right.txid
    }
}

/// Why an old app's read state is refused.
package enum ReadImportError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Its block time is later than this device's clock, or not in milliseconds.
    case inTheFuture

    package var description: String { "the block time must be in milliseconds since 1970, and not in the future" }
}
