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
    /// of the chain: a score, then a block time, then the further status, higher ones first.
    package func isPreferred(over other: ChatMessage) -> Bool {
        if hasContent != other.hasContent { return hasContent }
        if contentBytes != other.contentBytes { return contentHash < other.contentHash }
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

    /// What a queued message becomes when it is given once more: the preferred content, and the chain's latest word.
    ///
    /// What was known stays known: an app that gives only the content does not take the score away.
    func updated(by newer: ChatMessage) -> ChatMessage {
        var result = self
        var content = newer
        content.blockTime = blockTime
        content.acceptingDaaScore = acceptingDaaScore
        content.status = status
        if content.isPreferred(over: self) { result = content }
        if newer.acceptingDaaScore != nil || newer.status == .reorged {
            result.acceptingDaaScore = newer.acceptingDaaScore
            result.blockTime = newer.blockTime ?? blockTime
            result.status = newer.status
        } else if acceptingDaaScore == nil {
            result.blockTime = newer.blockTime ?? blockTime
            if newer.status.rawValue > status.rawValue { result.status = newer.status }
        }
        return result
    }
}
