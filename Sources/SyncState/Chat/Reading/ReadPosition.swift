package import NodeCore

/// How far a conversation was read, on two scales that each only grow.
///
/// A message is read if it has a score and lies at or below the score point, or if its time lies at or below the time.
/// The time is raised only by shown messages that have no score: by block time, else by the sender's clock. So a wrong
/// clock of a sender reaches no further than the messages that were on the screen.
///
/// Positions are joined by the maximum on each scale: commutative, associative, idempotent.
package struct ReadPosition: Sendable, Hashable {
    package var scorePoint: ScorePoint?
    /// Milliseconds since 1970.
    package var timeMilliseconds: UInt64?

    package static let empty = ReadPosition()

    package init(scorePoint: ScorePoint? = nil, timeMilliseconds: UInt64? = nil) {
        self.scorePoint = scorePoint
        self.timeMilliseconds = timeMilliseconds
    }

    /// The join: everything that either covers.
    package func merged(with other: ReadPosition) -> ReadPosition {
        ReadPosition(
            scorePoint: [scorePoint, other.scorePoint].compactMap { $0 }.max(),
            timeMilliseconds: [timeMilliseconds, other.timeMilliseconds].compactMap { $0 }.max())
    }

    /// True if joining `other` changes nothing.
    package func contains(_ other: ReadPosition) -> Bool { merged(with: other) == self }

    /// True if a message is read at this position.
    package func covers(_ message: ChatMessage) -> Bool {
        covers(
            score: message.acceptingDaaScore, txid: message.txid,
            time: MessageOrder.time(blockTime: message.blockTime, senderTimestamp: message.senderTimestamp))
    }

    /// True if a message with this score, if it has one, and this time in milliseconds is read.
    package func covers(score: UInt64?, txid: TxID, time: UInt64) -> Bool {
        if let timeMilliseconds, time <= timeMilliseconds { return true }
        guard let score, let scorePoint else { return false }
        return ScorePoint(acceptingDaaScore: score, txid: txid) <= scorePoint
    }

    /// The position as array [score or null, txid or null, time or null].
    func write(to writer: inout CBORWriter) {
        writer.writeArray(3)
        if let scorePoint {
            writer.write(scorePoint.acceptingDaaScore)
            writer.write(scorePoint.txid)
        } else {
            writer.writeNull()
            writer.writeNull()
        }
        if let timeMilliseconds { writer.write(timeMilliseconds) } else { writer.writeNull() }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.position
        guard try reader.readArray(max: 3) == 3 else { throw .wrongSize(at: start) }
        if try reader.readNullIfPresent() {
            guard try reader.readNullIfPresent() else { throw .unexpectedType(at: reader.position) }
        } else {
            let score = try reader.readUInt()
            guard score <= Limits.acceptingDaaScore else { throw .outOfRange(at: start) }
            scorePoint = ScorePoint(acceptingDaaScore: score, txid: try reader.read(TxID.self))
        }
        if try !reader.readNullIfPresent() {
            let time = try reader.readUInt()
            guard time <= Limits.timeMilliseconds else { throw .outOfRange(at: start) }
            timeMilliseconds = time
        }
    }
}
