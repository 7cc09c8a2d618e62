package import NodeCore
package import SyncState

/// A device's statement of how far a conversation was read on it: the value of a register.
///
///     marker = { 0: 6, 1: "read." ‖ conversation (text), 2: position, 3: txid, 4: block time or null, 5: read at }
package struct ReadMarker: Sendable, Hashable {
    /// The type of the record's meta.
    package static let type: UInt64 = 6

    package var conversationID: String
    package var position: ReadPosition
    /// The marked message.
    package var txid: TxID
    /// Its block time in milliseconds, nil if it had none.
    package var blockTime: UInt64?
    /// The clock of the marking device, which may be wrong: it is shown, but compared only to break ties.
    package var readAt: WallTime

    package init(
        conversationID: String, position: ReadPosition, txid: TxID, blockTime: UInt64? = nil, readAt: WallTime
    ) {
        self.conversationID = conversationID
        self.position = position
        self.txid = txid
        self.blockTime = blockTime
        self.readAt = readAt
    }

    /// The name of the register: `read.<conversation>`.
    package static func name(conversationID: String) -> String { "read.\(conversationID)" }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 160)
        writer.writeMap(6)
        writer.write(UInt64(0))
        writer.write(Self.type)
        writer.write(UInt64(1))
        writer.write(text: Self.name(conversationID: conversationID))
        writer.write(UInt64(2))
        position.write(to: &writer)
        writer.write(UInt64(3))
        writer.write(txid)
        writer.write(UInt64(4))
        if let blockTime { writer.write(blockTime) } else { writer.writeNull() }
        writer.write(UInt64(5))
        writer.write(readAt.milliseconds)
        return writer.bytes
    }

    /// Reads the output of `encoded` and refuses everything else.
    package init(decoding bytes: [UInt8]) throws(CBORError) {
        var reader = CBORReader(bytes)
        guard try reader.readMap(max: 6) == 6 else { throw .wrongSize(at: 0) }
        func key(_ number: UInt64) throws(CBORError) {
            let start = reader.position
            guard try reader.readUInt() == number else { throw .keyOrder(at: start) }
        }
        try key(0)
        guard try reader.readUInt() == Self.type else { throw .outOfRange(at: reader.position) }
        try key(1)
        let name = try reader.readText(max: Limits.conversationIDBytes + 5)
        // Compared by bytes: characters that combine with the dot belong to the conversation's id.
        guard name.utf8.starts(with: "read.".utf8), let id = String(name.utf8.dropFirst(5)), !id.isEmpty else {
            throw .outOfRange(at: reader.position)
        }
        conversationID = id
        try key(2)
        position = try ReadPosition(from: &reader, maxNamed: Limits.namedReads)
        try key(3)
        txid = try reader.read(TxID.self)
        try key(4)
        if try !reader.readNullIfPresent() {
            let time = try reader.readUInt()
            guard time <= Limits.timeMilliseconds else { throw .outOfRange(at: reader.position) }
            blockTime = time
        }
        try key(5)
        readAt = WallTime(milliseconds: try reader.readInt())
        try reader.finish()
    }

    /// True if this marker, of `lane`, is shown as the latest instead of `other`: the same choice on every device.
    func isLater(than other: ReadMarker, lane: LaneID, otherLane: LaneID) -> Bool {
        let ownScore = position.scorePoint
        let otherScore = other.position.scorePoint
        if ownScore != otherScore {
            guard let ownScore else { return false }
            guard let otherScore else { return true }
            return ownScore > otherScore
        }
        let ownTime = position.timeMilliseconds ?? 0
        let otherTime = other.position.timeMilliseconds ?? 0
        if ownTime != otherTime { return ownTime > otherTime }
        if readAt != other.readAt { return readAt > other.readAt }
        if txid != other.txid { return txid > other.txid }
        return lane > otherLane
    }
}

extension ReadMarker {
    package var slotName: String { "read.\(conversationID)" }

    func raised(to position: ReadPosition) -> ReadMarker {
        var raised = self
        raised.position = position
        return raised
    }
}

extension ReadMarker: AccountRecord {
    package static var metaType: MetaType { .readMarker }
    package static var kind: RecordKind { .register }
    package init(fields: [UInt8], hasBlob: Bool) throws { try self.init(decoding: fields) }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(slotName.utf8) }
}

/// How far a conversation was read: on two scales that only grow, and by name.
///
/// A message is read if it has a score and is at or below the score point, or if its time is at or below the time. The
/// time is raised only by shown messages without a score: by block time, otherwise by the sender's clock. So a sender's
/// wrong clock reaches no further than the messages that were on the screen.
///
/// A message that was read before it was in a block gets another time with the block, which may be beyond both scales.
/// It is named until the scales have passed it.
///
/// Positions are joined by the maximum on each scale and the union of the names: commutative, associative, idempotent.
package struct ReadPosition: Sendable, Hashable {
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
        if let scorePoint {
            writer.write(scorePoint.acceptingDaaScore)
            writer.write(scorePoint.txid)
        } else {
            writer.writeNull()
            writer.writeNull()
        }
        if let timeMilliseconds { writer.write(timeMilliseconds) } else { writer.writeNull() }
        guard !named.isEmpty else { return }
        writer.writeArray(named.count)
        for txid in named { writer.write(txid) }
    }

    /// - Parameter limit: the maximum number of names. Several devices together may name more than one marker may.
    init(from reader: inout CBORReader, maxNamed limit: Int) throws(CBORError) {
        let start = reader.position
        let count = try reader.readArray(max: 4)
        guard count >= 3 else { throw .wrongSize(at: start) }
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
        if count == 4 { named = try Self.names(from: &reader, max: limit) }
    }

    private static func names(from reader: inout CBORReader, max limit: Int) throws(CBORError) -> [TxID] {
        let start = reader.position
        let count = try reader.readArray(max: limit)
        var names: [TxID] = []
        for _ in 0..<count {
            let txid = try reader.read(TxID.self)
            guard names.last.map({ $0 < txid }) ?? true else { throw .outOfRange(at: start) }
            names.append(txid)
        }
        guard !names.isEmpty else { throw .outOfRange(at: start) }
        return names
    }
}

/// A point on the score scale: the accepting score of a message, then its txid.
package struct ScorePoint: Sendable, Hashable, Comparable {
    package let acceptingDaaScore: UInt64
    package let txid: TxID

    package init(acceptingDaaScore: UInt64, txid: TxID) {
        self.acceptingDaaScore = acceptingDaaScore
        self.txid = txid
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
