package import NodeCore

/// One message as an app gives it and gets it back.
package struct ChatMessage: Sendable, Equatable {
    package var txid: TxID
    package var conversationID: String
    package var contact: String
    package var direction: MessageDirection
    /// The sender's clock, seconds since 1970. Decides the day whose segment holds the message.
    package var senderTimestamp: UInt64
    /// Milliseconds since 1970; nil while the message is in no block.
    package var blockTime: UInt64?
    /// nil while the message is not accepted.
    package var acceptingDaaScore: UInt64?
    package var status: MessageStatus
    package var body: String
    package var attachments: [ChatAttachment]
    /// Of the messages sent in one second that are in no block, which one this is, in the order in which they were
    /// added; up to `Limits.senderOrder`.
    package var senderOrder: UInt16 = 0

    package init(
        txid: TxID, conversationID: String, contact: String, direction: MessageDirection, senderTimestamp: UInt64,
        blockTime: UInt64? = nil, acceptingDaaScore: UInt64? = nil, status: MessageStatus, body: String,
        attachments: [ChatAttachment] = []
    ) {
        self.txid = txid
        self.conversationID = conversationID
        self.contact = contact
        self.direction = direction
        self.senderTimestamp = senderTimestamp
        self.blockTime = blockTime
        self.acceptingDaaScore = acceptingDaaScore
        self.status = status
        self.body = body
        self.attachments = attachments
    }

    /// True if it shows anything: one with nothing to show never replaces one with.
    package var hasContent: Bool { !body.isEmpty || !attachments.isEmpty }

    /// Days since 1970 by the sender's clock, UTC.
    package var dayBucket: UInt64 { senderTimestamp / 86_400 }

    /// Where the message stands among all of its conversation.
    package var order: MessageOrder {
        MessageOrder(
            score: acceptingDaaScore, blockTime: blockTime, senderTimestamp: senderTimestamp,
            senderOrder: keptSenderOrder)
    }

    /// As a payload has it: the chain says where the others stand, and received ones were not added in any order.
    package var keptSenderOrder: UInt16 {
        direction == .sent && blockTime == nil && acceptingDaaScore == nil ? senderOrder : 0
    }
}

// MARK: - Validation

extension ChatMessage {
    /// Throws what is wrong with the first field that is beyond its limit.
    package func validate() throws(ChatMessageError) {
        guard !conversationID.isEmpty else { throw ChatMessageError(field: "conversationId", reason: .empty) }
        try Self.check("conversationId", conversationID.utf8.count, Limits.conversationIDBytes)
        try Self.check("contact", contact.utf8.count, Limits.contactBytes)
        try Self.check("body", body.utf8.count, Limits.bodyBytes)
        try Self.check("senderTs", senderTimestamp, Limits.timestampSeconds)
        try Self.check("senderOrder", UInt64(senderOrder), UInt64(Limits.senderOrder))
        try Self.check("blockTime", blockTime ?? 0, Limits.timeMilliseconds)
        try Self.check("acceptingDaaScore", acceptingDaaScore ?? 0, Limits.acceptingDaaScore)
        guard attachments.count <= Limits.attachments else {
            throw ChatMessageError(
                field: "attachments", reason: .tooMany(count: attachments.count, limit: Limits.attachments))
        }
        for attachment in attachments { try Self.check(attachment) }
        let inline = attachments.reduce(0) { $0 + ($1.inline?.count ?? 0) }
        try Self.check("attachments.inline of all", inline, Limits.inlineBytes)
    }

    private static func check(_ attachment: ChatAttachment) throws(ChatMessageError) {
        try check("attachments.link", attachment.link?.utf8.count ?? 0, Limits.attachmentLinkBytes)
        try check("attachments.mimeType", attachment.mimeType.utf8.count, Limits.mimeTypeBytes)
        try check("attachments.inline", attachment.inline?.count ?? 0, Limits.inlineAttachmentBytes)
        try check("attachments.sizeBytes", attachment.sizeBytes, Limits.attachmentNumber)
        try check("attachments.duration", attachment.durationMilliseconds ?? 0, Limits.attachmentNumber)
        try check("attachments.width", attachment.width ?? 0, Limits.attachmentNumber)
        try check("attachments.height", attachment.height ?? 0, Limits.attachmentNumber)
    }

    private static func check(_ field: String, _ bytes: Int, _ limit: Int) throws(ChatMessageError) {
        guard bytes <= limit else { throw ChatMessageError(field: field, reason: .tooLong(bytes: bytes, limit: limit)) }
    }

    private static func check(_ field: String, _ value: UInt64, _ limit: UInt64) throws(ChatMessageError) {
        guard value <= limit else { throw ChatMessageError(field: field, reason: .tooLarge(limit: limit)) }
    }
}
