package import NodeCore
import SyncState

/// A device's statement of how far a conversation was read on it: the value of a register.
///
///     marker = { 0: 6, 1: "read." ‖ conversation (text), 2: [ *8 bound ], 3: [ *64 txid ], 4: read at }
///     bound  = [ txid, score or null, time ]
///
/// Bounds and names ascend by txid. A register says what its own device's user marked, and nothing for the others: what
/// they said may be taken back.
package struct ReadMarker: Sendable, Hashable {
    /// The type of the record's meta.
    package static let type: UInt64 = 6

    package var conversationID: String
    /// Ascending by txid, which are unique.
    package private(set) var bounds: [ReadBound]
    /// Messages that are read wherever they are; ascending and unique.
    package private(set) var named: [TxID]
    /// The clock of the marking device, which may be wrong: it is shown, and compared only to tell what came first.
    package var readAt: WallTime

    /// - Parameters:
    ///   - bounds: in any order; of two that name one message the later is taken.
    ///   - named: in any order.
    package init(conversationID: String, bounds: [ReadBound] = [], named: [TxID] = [], readAt: WallTime) {
        self.conversationID = conversationID
        self.bounds = Dictionary(bounds.map { ($0.txid, $0) }) { $1 }.values.sorted { $0.txid < $1.txid }
        self.named = Set(named).sorted()
        self.readAt = readAt
    }

    /// The name of the register: `read.<conversation>`.
    package static func name(conversationID: String) -> String { "read.\(conversationID)" }
    package var slotName: String { Self.name(conversationID: conversationID) }

    package func with(bounds: [ReadBound], named: [TxID]) -> ReadMarker {
        ReadMarker(conversationID: conversationID, bounds: bounds, named: named, readAt: readAt)
    }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 160)
        writer.writeMap(5)
        writer.write(0, Self.type, 1, slotName, 2)
        writer.write(all: bounds)
        writer.write(3)
        writer.write(all: named)
        writer.write(4, readAt)
        return writer.bytes
    }

    /// Reads the output of `encoded` and refuses everything else.
    package init(fields: [UInt8], hasBlob: Bool) throws {
        var reader = CBORReader(fields)
        guard try reader.readMap(max: 5) == 5 else { throw CBORError.wrongSize(at: 0) }
        func key(_ number: UInt64) throws(CBORError) {
            let start = reader.position
            guard try reader.readUInt() == number else { throw CBORError.keyOrder(at: start) }
        }
        try key(0)
        guard try reader.readUInt() == Self.type else { throw CBORError.outOfRange(at: reader.position) }
        try key(1)
        conversationID = try reader.readConversation(after: "read.")
        try key(2)
        bounds = []
        for _ in 0..<(try reader.readArray(max: Limits.readBounds)) {
            let bound = try ReadBound(from: &reader)
            guard bounds.last.map({ $0.txid < bound.txid }) ?? true else {
                throw CBORError.outOfRange(at: reader.position)
            }
            bounds.append(bound)
        }
        try key(3)
        named = try reader.readAscending(max: Limits.namedReads)
        try key(4)
        readAt = try reader.readTime()
        try reader.finish()
    }
}

extension ReadMarker: AccountRecord {
    package static var metaType: MetaType { .readMarker }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(slotName.utf8) }
}

/// A message up to which a conversation was read, and its place when the mark was made.
///
/// It reaches to the message as it is held: no further than its place now, nor than its place then; and nowhere while
/// the message is not held. So a mark "at the end of time" does nothing.
package struct ReadBound: Sendable, Hashable, CBORValue {
    package let txid: TxID
    /// Nil if it had none.
    package let acceptingDaaScore: UInt64?
    /// Its block time, or its sender's; milliseconds since 1970.
    package let timeMilliseconds: UInt64

    package init(txid: TxID, acceptingDaaScore: UInt64? = nil, timeMilliseconds: UInt64) {
        self.txid = txid
        self.acceptingDaaScore = acceptingDaaScore
        self.timeMilliseconds = timeMilliseconds
    }

    package init(_ message: ChatMessage) {
        self.init(
            txid: message.txid, acceptingDaaScore: message.acceptingDaaScore, timeMilliseconds: message.scaleTime)
    }

    /// The read state of an old app, by a time alone, which names no message yet: it waits here, unpublished.
    package static func unnamed(timeMilliseconds: UInt64) -> ReadBound {
        ReadBound(txid: .zero, timeMilliseconds: timeMilliseconds)
    }

    package var isUnnamed: Bool { txid == .zero }

    /// One bound for two at one message, of which both have a score or neither: whatever becomes of the message, it
    /// reaches as far as the further one.
    func joined(with other: ReadBound) -> ReadBound {
        ReadBound(
            txid: txid, acceptingDaaScore: [acceptingDaaScore, other.acceptingDaaScore].compactMap(\.self).max(),
            timeMilliseconds: max(timeMilliseconds, other.timeMilliseconds))
    }

    /// How far it reaches, given the message as it is held.
    ///
    /// The score decides if the message had one and has one. Where none is known yet, the mark reads that message
    /// alone, since a reach by time would end with the score. A message that lost its score to a reorg still has its
    /// times, and one that got into a block still has its sender's.
    package func reach(_ message: ChatMessage) -> ReadPosition {
        let isAhead = acceptingDaaScore != nil && message.acceptingDaaScore == nil && message.status != .reorged
        if isAhead { return ReadPosition(named: [txid]) }
        guard let then = acceptingDaaScore, let now = message.acceptingDaaScore else {
            let sent = MessageOrder.time(blockTime: nil, senderTimestamp: message.senderTimestamp)
            return ReadPosition(timeMilliseconds: min(timeMilliseconds, max(sent, message.scaleTime)))
        }
        return ReadPosition(scorePoint: ScorePoint(acceptingDaaScore: min(then, now), txid: txid))
    }

    @usableFromInline package func write(to writer: inout CBORWriter) {
        writer.write(array: txid, acceptingDaaScore, timeMilliseconds)
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        try reader.readArray(of: 3)
        txid = try reader.read(TxID.self)
        acceptingDaaScore = try reader.readUIntIfPresent(max: Limits.acceptingDaaScore)
        timeMilliseconds = try reader.readUInt(max: Limits.timeMilliseconds)
    }
}
