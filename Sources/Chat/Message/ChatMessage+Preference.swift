package import NodeCore

/// Which of two versions of one message counts: a choice that every device makes alike.
extension ChatMessage {
    /// The part of the message that its sender made, in deterministic CBOR:
    /// `[conversation, contact, direction, sender's time, body, attachments]`.
    var contentBytes: [UInt8] {
        var writer = CBORWriter(capacity: 64 + body.utf8.count)
        writer.writeArray(6)
        writer.write(text: conversationID)
        writer.write(text: contact)
        writer.write(UInt64(direction.rawValue))
        writer.write(senderTimestamp)
        writer.write(text: body)
        PayloadWriter.write(attachments, to: &writer)
        return writer.bytes
    }

    /// The canonical hash: BLAKE2b-256 of `contentBytes`, domain "kachat.message".
    package var contentHash: Bytes32 { Blake2b.hash32(contentBytes, domain: "kachat.message") }

    /// True if this version replaces `other`, of the same txid; false also if they are the same.
    ///
    /// Something to show beats nothing; then the lower canonical hash wins; of equal contents the one that knows more
    /// of the chain: a score, then a block time, then the further status, higher ones first; then the earlier place.
    package func isPreferred(over other: ChatMessage) -> Bool {
        if hasContent != other.hasContent { return hasContent }
        if contentBytes != other.contentBytes { return contentHash < other.contentHash }
        if knowsMoreOfTheChain(than: other) { return true }
        return keptSenderOrder < other.keptSenderOrder && !other.knowsMoreOfTheChain(than: self)
    }

    /// Whether nothing that the sender wrote is lost where this copy stands for the other.
    func saysAll(of other: ChatMessage) -> Bool {
        !other.hasContent || (body == other.body && attachments == other.attachments)
    }

    /// Of what two copies say of the chain: a score beats none, then a block time, then the further status; of two the
    /// higher. An order, so that copies can be merged however they come.
    func knowsMoreOfTheChain(than other: ChatMessage) -> Bool {
        if acceptingDaaScore != other.acceptingDaaScore {
            return Self.isMore(acceptingDaaScore, than: other.acceptingDaaScore)
        }
        if blockTime != other.blockTime { return Self.isMore(blockTime, than: other.blockTime) }
        return status.rawValue > other.status.rawValue
    }

    private static func isMore(_ left: UInt64?, than right: UInt64?) -> Bool {
        guard let left else { return false }
        guard let right else { return true }
        return left > right
    }

    /// With the chain's word of another version.
    func withChain(of other: ChatMessage) -> ChatMessage {
        var result = self
        result.blockTime = other.blockTime
        result.acceptingDaaScore = other.acceptingDaaScore
        result.status = other.status
        return result
    }

    /// With what another version tells besides: what was known stays known.
    func completed(by newer: ChatMessage) -> ChatMessage {
        var result = self
        result.acceptingDaaScore = newer.acceptingDaaScore ?? acceptingDaaScore
        result.blockTime = newer.blockTime ?? blockTime
        if newer.acceptingDaaScore != nil || acceptingDaaScore == nil { result.status = newer.status }
        return result.knowsMoreOfTheChain(than: self) ? result : self
    }

    /// What a queued message becomes when it is given once more: the preferred content, and the most that is known of
    /// the chain. An app that gives only the content takes no score away; what takes one away is a fact of its own.
    func updated(by newer: ChatMessage) -> ChatMessage {
        var content = newer.withChain(of: self)
        content.senderOrder = senderOrder
        return (content.isPreferred(over: self) ? content : self).completed(by: newer)
    }
}
