package import NodeCore
package import SyncState

/// A message's place in the chain, in addition to the data in its copies.
///
/// If there are several facts about one message, the highest revision counts, then the greater value hash: the same
/// choice on every device. A nil field was never reported and keeps the copy's value; only a reorg removes a score.
package struct ChainFact: Sendable, Hashable {
    package var txid: TxID
    /// From 1: a copy's own data has revision 0.
    package var revision: UInt64
    /// Milliseconds since 1970.
    package var blockTime: UInt64?
    package var acceptingDaaScore: UInt64?
    package var status: MessageStatus

    package init(
        txid: TxID, revision: UInt64, blockTime: UInt64? = nil, acceptingDaaScore: UInt64? = nil,
        status: MessageStatus
    ) {
        self.txid = txid
        self.revision = revision
        self.blockTime = blockTime
        self.acceptingDaaScore = acceptingDaaScore
        self.status = status
    }

    /// BLAKE2b-256 of `[txid, block time, score, status]`, domain "kachat.fact".
    package var valueHash: Bytes32 {
        let value = CBORWriter.array(txid, blockTime, acceptingDaaScore, Int(status.rawValue))
        return Blake2b.hash32(value, domain: "kachat.fact")
    }

    /// True if this fact wins over `other`, about the same message; false also if they are equal.
    package func isPreferred(over other: ChainFact) -> Bool {
        revision != other.revision ? revision > other.revision : valueHash > other.valueHash
    }

    /// What this fact, which counts, and another one say together; nil if this one says it all.
    ///
    /// A device that writes a fact keeps what it knows, except a score that a reorg took. So if another fact of its
    /// revision, or of the one before, tells more, the writer of this one had not heard it.
    func completed(by other: ChainFact) -> ChainFact? {
        let isUnheard = revision <= other.revision + 1 && revision < SyncState.Limits.revision
        let lacksScore = acceptingDaaScore == nil && other.acceptingDaaScore != nil
        guard isUnheard, status != .reorged, lacksScore || (blockTime == nil && other.blockTime != nil) else {
            return nil
        }
        return ChainFact(
            txid: txid, revision: revision + 1, blockTime: blockTime ?? other.blockTime,
            acceptingDaaScore: lacksScore ? other.acceptingDaaScore : acceptingDaaScore,
            status: lacksScore ? other.status : status)
    }

    /// Whether both have the same values, whatever their revisions.
    func says(theSameAs other: ChainFact) -> Bool {
        blockTime == other.blockTime && acceptingDaaScore == other.acceptingDaaScore && status == other.status
    }

    /// A copy of the message with this fact's chain data.
    package func applied(to copy: ChatMessage) -> ChatMessage {
        var message = copy
        message.blockTime = blockTime ?? copy.blockTime
        if acceptingDaaScore != nil || status == .reorged {
            message.acceptingDaaScore = acceptingDaaScore
            message.status = status
        } else if copy.acceptingDaaScore == nil {
            message.status = status
        }
        return message
    }

    func write(to writer: inout CBORWriter) {
        writer.write(array: txid, revision, blockTime, acceptingDaaScore, Int(status.rawValue))
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.position
        try reader.readArray(of: 5)
        txid = try reader.read(TxID.self)
        revision = try reader.readUInt()
        guard (1...SyncState.Limits.revision).contains(revision) else { throw .outOfRange(at: start) }
        blockTime = try reader.readUIntIfPresent(max: Limits.timeMilliseconds)
        acceptingDaaScore = try reader.readUIntIfPresent(max: Limits.acceptingDaaScore)
        guard let number = UInt8(exactly: try reader.readUInt()), let known = MessageStatus(rawValue: number) else {
            throw .outOfRange(at: start)
        }
        status = known
    }
}

/// A batch of facts about messages: an immutable record.
///
///     facts = [ 1*58 [ txid, revision, block time or null, score or null, status ] ]
package struct ChainFacts: Sendable, Hashable {
    /// The name of the slot; the tag is random, so that each batch has its own slot.
    static let slotName = "facts"

    package var facts: [ChainFact]

    package init(_ facts: [ChainFact]) { self.facts = facts }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 8 + 64 * facts.count)
        writer.writeArray(facts.count)
        for fact in facts { fact.write(to: &writer) }
        return writer.bytes
    }

    /// Reads the output of `encoded` and refuses everything else.
    package init(fields: [UInt8], hasBlob: Bool) throws {
        var reader = CBORReader(fields)
        let count = try reader.readArray(max: Limits.factsInRecord)
        guard count > 0 else { throw CBORError.wrongSize(at: 0) }
        facts = []
        for _ in 0..<count { facts.append(try ChainFact(from: &reader)) }
        try reader.finish()
    }
}

extension ChainFacts: AccountRecord {
    package static var metaType: MetaType { .chainFacts }
    package static var kind: RecordKind { .immutable }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(Self.slotName.utf8) }
}

/// News from the chain about one message, as reported by an app. Nil fields were not reported.
package struct ChainEvent: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// It is in a block, or accepted.
        case confirm
        /// It is no longer where it was; without a score it is out of the chain.
        case reorg
    }

    package var txid: TxID
    package var kind: Kind
    /// Milliseconds since 1970.
    package var blockTime: UInt64?
    package var acceptingDaaScore: UInt64?
    package var status: MessageStatus?

    package init(
        txid: TxID, kind: Kind, blockTime: UInt64? = nil, acceptingDaaScore: UInt64? = nil,
        status: MessageStatus? = nil
    ) {
        self.txid = txid
        self.kind = kind
        self.blockTime = blockTime
        self.acceptingDaaScore = acceptingDaaScore
        self.status = status
    }

    /// Throws an error for the first field that exceeds its limit.
    package func validate() throws(ChatMessageError) {
        try ChatMessageError.check("blockTime", blockTime ?? 0, Limits.timeMilliseconds)
        try ChatMessageError.check("acceptingDaaScore", acceptingDaaScore ?? 0, Limits.acceptingDaaScore)
    }

    /// The fact that results from this event and the previous fact: one revision higher.
    ///
    /// - Throws: `ChatError.revisionsExhausted` if there is none.
    func fact(after known: ChainFact?) throws(ChatError) -> ChainFact {
        let revision = known?.revision ?? 0
        guard revision < SyncState.Limits.revision else { throw .revisionsExhausted }
        let score = kind == .reorg ? acceptingDaaScore : acceptingDaaScore ?? known?.acceptingDaaScore
        return ChainFact(
            txid: txid, revision: revision + 1, blockTime: blockTime ?? known?.blockTime, acceptingDaaScore: score,
            status: status ?? implied(hasScore: score != nil))
    }

    private func implied(hasScore: Bool) -> MessageStatus {
        switch kind {
        case .reorg: .reorged
        // An app that reports neither means "confirmed".
        case .confirm: hasScore || blockTime == nil ? .confirmed : .seen
        }
    }
}
