package import NodeCore

/// One message as an app gives it and gets it back.
package struct ChatMessage: Sendable, Equatable {
    package var txid: TxID
    package var conversationID: String
    package var contact: String
    package var direction: MessageDirection
    /// The sender's clock, seconds since 1970. Decides which day's segment holds the message.
    package var senderTimestamp: UInt64
    /// Milliseconds since 1970; nil while the message is in no block.
    package var blockTime: UInt64?
    /// Nil while the message is not accepted.
    package var acceptingDaaScore: UInt64?
    package var status: MessageStatus
    package var body: String
    package var attachments: [ChatAttachment]
    /// The position among messages sent in the same second that are in no block, in the order in which they were added;
    /// up to `Limits.senderOrder`.
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

    /// True if it shows anything. A version without content never replaces one with content.
    package var hasContent: Bool { !body.isEmpty || !attachments.isEmpty }

    /// Days since 1970 by the sender's clock, UTC.
    package var dayBucket: UInt64 { senderTimestamp / 86_400 }

    /// The message's position in its conversation.
    package var order: MessageOrder {
        MessageOrder(
            score: acceptingDaaScore, blockTime: blockTime, senderTimestamp: senderTimestamp,
            senderOrder: keptSenderOrder)
    }

    /// Its time on the time scale of read positions, in milliseconds.
    var scaleTime: UInt64 { MessageOrder.time(blockTime: blockTime, senderTimestamp: senderTimestamp) }

    /// The value stored in a payload: chain data orders the other messages, and received ones were not added in any
    /// order.
    package var keptSenderOrder: UInt16 {
        direction == .sent && blockTime == nil && acceptingDaaScore == nil ? senderOrder : 0
    }
}

// MARK: - Validation

extension ChatMessage {
    /// Throws an error for the first field that exceeds its limit.
    package func validate() throws(ChatMessageError) {
        guard !conversationID.isEmpty else { throw ChatMessageError(field: "conversationId", reason: .empty) }
        try ChatMessageError.check("conversationId", conversationID.utf8.count, Limits.conversationIDBytes)
        try ChatMessageError.check("contact", contact.utf8.count, Limits.contactBytes)
        try ChatMessageError.check("body", body.utf8.count, Limits.bodyBytes)
        try ChatMessageError.check("senderTs", senderTimestamp, Limits.timestampSeconds)
        try ChatMessageError.check("senderOrder", UInt64(senderOrder), UInt64(Limits.senderOrder))
        try ChatMessageError.check("blockTime", blockTime ?? 0, Limits.timeMilliseconds)
        try ChatMessageError.check("acceptingDaaScore", acceptingDaaScore ?? 0, Limits.acceptingDaaScore)
        guard attachments.count <= Limits.attachments else {
            throw ChatMessageError(
                field: "attachments", reason: .tooMany(count: attachments.count, limit: Limits.attachments))
        }
        for attachment in attachments { try Self.check(attachment) }
        let inline = attachments.reduce(0) { $0 + ($1.inline?.count ?? 0) }
        try ChatMessageError.check("attachments.inline of all", inline, Limits.inlineBytes)
    }

    private static func check(_ attachment: ChatAttachment) throws(ChatMessageError) {
        try ChatMessageError.check("attachments.link", attachment.link?.utf8.count ?? 0, Limits.attachmentLinkBytes)
        try ChatMessageError.check("attachments.mimeType", attachment.mimeType.utf8.count, Limits.mimeTypeBytes)
        try ChatMessageError.check("attachments.inline", attachment.inline?.count ?? 0, Limits.inlineAttachmentBytes)
        try ChatMessageError.check("attachments.sizeBytes", attachment.sizeBytes, Limits.attachmentNumber)
        try ChatMessageError.check(
            "attachments.duration", attachment.durationMilliseconds ?? 0, Limits.attachmentNumber)
        try ChatMessageError.check("attachments.width", attachment.width ?? 0, Limits.attachmentNumber)
        try ChatMessageError.check("attachments.height", attachment.height ?? 0, Limits.attachmentNumber)
    }
}

/// The direction of a message.
package enum MessageDirection: UInt8, Sendable, Equatable {
    case sent = 0
    /// Only received messages count as unread.
    case received = 1
}

/// The state of a message in the chain.
package enum MessageStatus: UInt8, Sendable, Equatable, CaseIterable {
    /// Not in a known block.
    case pending = 0
    /// In a block.
    case seen = 1
    /// Accepted, and deep enough to stay.
    case confirmed = 2
    /// Was accepted, and no longer is.
    case reorged = 3

    /// The status to assume if none is given: confirmed with a score, seen with only a block.
    package static func implied(hasBlockTime: Bool, hasScore: Bool) -> MessageStatus {
        hasScore ? .confirmed : hasBlockTime ? .seen : .pending
    }

    package var name: String {
        switch self {
        case .pending: "pending"
        case .seen: "seen"
        case .confirmed: "confirmed"
        case .reorged: "reorged"
        }
    }

    package init?(name: String) {
        guard let status = MessageStatus.allCases.first(where: { $0.name == name }) else { return nil }
        self = status
    }
}

/// A message's position in its conversation; equal ones are ordered by txid.
///
/// Accepted messages come first, by score; then those only in a block, by its time; then those in neither, by the
/// sender's clock, and within a second as they were added: newest last. One word: the class in the top two bits, the
/// number below.
package struct MessageOrder: Sendable, Hashable, Comparable {
    package let word: UInt64

    package init(word: UInt64) { self.word = word }

    /// - Parameter senderOrder: `ChatMessage.senderOrder`
    package init(score: UInt64?, blockTime: UInt64?, senderTimestamp: UInt64, senderOrder: UInt16 = 0) {
        if let score {
            word = min(score, Limits.acceptingDaaScore)
        } else if let blockTime {
            word = 1 << 62 | min(blockTime, Limits.timeMilliseconds)
        } else {
            let place = UInt64(min(senderOrder, Limits.senderOrder))
            word = 2 << 62 | min(senderTimestamp, Limits.timestampSeconds) * 1_000 + place
        }
    }

    /// The accepting score, if the message is ordered by it.
    package var score: UInt64? { word >> 62 == 0 ? word : nil }

    /// The first word after all scores.
    static let firstWithoutScore = MessageOrder(word: 1 << 62)
    /// The first word after all block times.
    static let firstWithoutBlock = MessageOrder(word: 2 << 62)

    package static func < (left: MessageOrder, right: MessageOrder) -> Bool { left.word < right.word }

    /// The time used on the time scale of a read position, in milliseconds.
    static func time(blockTime: UInt64?, senderTimestamp: UInt64) -> UInt64 {
        min(blockTime ?? min(senderTimestamp, Limits.timestampSeconds) * 1_000, Limits.timeMilliseconds)
    }
}

/// An attachment of a message: linked, or small enough to travel inside it.
package struct ChatAttachment: Sendable, Equatable {
    /// Its location; nil if it is only inline.
    package var link: String?
    package var mimeType: String
    /// Size of the whole attachment, whatever part is inline.
    package var sizeBytes: UInt64
    package var durationMilliseconds: UInt64?
    /// Pixels.
    package var width: UInt64?
    /// Pixels.
    package var height: UInt64?
    /// The attachment itself or a preview, up to 12 KiB.
    package var inline: [UInt8]?

    package init(
        link: String? = nil, mimeType: String, sizeBytes: UInt64, durationMilliseconds: UInt64? = nil,
        width: UInt64? = nil, height: UInt64? = nil, inline: [UInt8]? = nil
    ) {
        self.link = link
        self.mimeType = mimeType
        self.sizeBytes = sizeBytes
        self.durationMilliseconds = durationMilliseconds
        self.width = width
        self.height = height
        self.inline = inline
    }

    /// Writes attachments as in payloads and in the input of a message's hash.
    static func write(_ attachments: [ChatAttachment], to writer: inout CBORWriter) {
        writer.writeArray(attachments.count)
        for attachment in attachments {
            let numbers = [
                attachment.sizeBytes, attachment.durationMilliseconds, attachment.width, attachment.height,
            ]
            let present = numbers.count { $0 != nil }
            writer.writeMap(
                1 + present + (attachment.link == nil ? 0 : 1) + (attachment.inline == nil ? 0 : 1))
            if let link = attachment.link {
                writer.write(UInt64(0))
                writer.write(text: link)
            }
            writer.write(UInt64(1))
            writer.write(text: attachment.mimeType)
            for (key, number) in numbers.enumerated() {
                guard let number else { continue }
                writer.write(UInt64(key + 2))
                writer.write(number)
            }
            if let inline = attachment.inline {
                writer.write(UInt64(6))
                writer.write(bytes: inline)
            }
        }
    }
}

/// Why a message is refused: the field, the problem, and the limit if there is one.
package struct ChatMessageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The field's name in the import format.
    package let field: String
    package let reason: Reason

    package enum Reason: Equatable, Sendable {
        case empty
        /// Longer than the limit in bytes.
        case tooLong(bytes: Int, limit: Int)
        case tooMany(count: Int, limit: Int)
        case tooLarge(limit: UInt64)
    }

    package var description: String {
        switch reason {
        case .empty: "\(field) is empty"
        case .tooLong(let bytes, let limit): "\(field) has \(bytes) bytes, at most \(limit) are taken"
        case .tooMany(let count, let limit): "\(count) \(field), at most \(limit) are taken"
        case .tooLarge(let limit): "\(field) is above \(limit)"
        }
    }

    static func check(_ field: String, _ bytes: Int, _ limit: Int) throws(ChatMessageError) {
        guard bytes <= limit else { throw ChatMessageError(field: field, reason: .tooLong(bytes: bytes, limit: limit)) }
    }

    static func check(_ field: String, _ value: UInt64, _ limit: UInt64) throws(ChatMessageError) {
        guard value <= limit else { throw ChatMessageError(field: field, reason: .tooLarge(limit: limit)) }
    }
}

/// Which of two versions of a message wins: a choice that every device makes alike.
extension ChatMessage {
    /// The sender's part of the message, in deterministic CBOR: `[conversation, contact, direction, sender's time,
    /// body, attachments]`.
    var contentBytes: [UInt8] {
        var writer = CBORWriter(capacity: 64 + body.utf8.count)
        writer.writeArray(6)
        writer.write(text: conversationID)
        writer.write(text: contact)
        writer.write(UInt64(direction.rawValue))
        writer.write(senderTimestamp)
        writer.write(text: body)
        ChatAttachment.write(attachments, to: &writer)
        return writer.bytes
    }

    /// The canonical hash: BLAKE2b-256 of `contentBytes`, domain "kachat.message".
    package var contentHash: Bytes32 { Blake2b.hash32(contentBytes, domain: "kachat.message") }

    /// True if this version replaces `other`, of the same txid; false also if they are equal.
    ///
    /// Content beats no content; then the lower canonical hash wins; of equal contents the one with more chain data: a
    /// score, then a block time, then the further status, higher ones first; then the earlier position.
    package func isPreferred(over other: ChatMessage) -> Bool {
        if hasContent != other.hasContent { return hasContent }
        if contentBytes != other.contentBytes { return contentHash < other.contentHash }
        if knowsMoreOfTheChain(than: other) { return true }
        return keptSenderOrder < other.keptSenderOrder && !other.knowsMoreOfTheChain(than: self)
    }

    /// Whether replacing the other copy by this one loses nothing that the sender wrote, nor where it was said.
    func saysAll(of other: ChatMessage) -> Bool { !other.hasContent || contentBytes == other.contentBytes }

    /// Compares the chain data of two copies: a score beats none, then a block time, then the further status; of two
    /// the higher. It is an order, so that copies can be merged in any sequence.
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

    /// A copy with another version's chain data.
    func withChain(of other: ChatMessage) -> ChatMessage {
        var result = self
        result.blockTime = other.blockTime
        result.acceptingDaaScore = other.acceptingDaaScore
        result.status = other.status
        return result
    }

    /// Fills fields missing here from `newer`. Never clears a known field.
    func completed(by newer: ChatMessage) -> ChatMessage {
        var result = self
        result.acceptingDaaScore = newer.acceptingDaaScore ?? acceptingDaaScore
        result.blockTime = newer.blockTime ?? blockTime
        if newer.acceptingDaaScore != nil || acceptingDaaScore == nil { result.status = newer.status }
        return result.knowsMoreOfTheChain(than: self) ? result : self
    }

    /// Merges a queued message with another version given later: the preferred content, and the most chain data. An app
    /// that gives only the content does not remove a score; only a fact can.
    func updated(by newer: ChatMessage) -> ChatMessage {
        var content = newer.withChain(of: self)
        content.senderOrder = senderOrder
        return (content.isPreferred(over: self) ? content : self).completed(by: newer)
    }
}

extension ChatMessage {
    /// The message without what its sender wrote. It keeps its position, so that all devices know which message was
    /// deleted.
    var withoutBody: ChatMessage {
        var message = self
        message.body = ""
        message.attachments = []
        return message
    }
}
