import Chat
import NodeCore
import SyncState

extension MessageLine {
    /// The message as the store takes it. A line without a status says by its fields how far the chain has taken it.
    var chatMessage: ChatMessage {
        let implied = MessageStatus.implied(hasBlockTime: blockTime != nil, hasScore: acceptingDaaScore != nil)
        var message = ChatMessage(
            txid: txid, conversationID: conversationID, contact: contact,
            direction: direction == .sent ? .sent : .received,
            senderTimestamp: senderTimestamp, blockTime: blockTime, acceptingDaaScore: acceptingDaaScore,
            status: status.flatMap { MessageStatus(name: $0.rawValue) } ?? implied, body: body,
            attachments: attachments.map(\.chatAttachment))
        message.senderOrder = UInt16(clamping: senderOrder ?? 0)
        return message
    }

    /// True where the line has nothing to show, or what an old app has in its place.
    func isPlaceholder(_ text: PlaceholderText) -> Bool {
        attachments.isEmpty && (body.isEmpty || text.matches(body))
    }

    /// What is known of the message where its body is not.
    func stub(hintedAt wall: WallTime) -> Stub {
        Stub(
            txid: txid, conversationID: conversationID, contact: contact,
            direction: direction == .sent ? .sent : .received, senderTimestamp: senderTimestamp, blockTime: blockTime,
            acceptingDaaScore: acceptingDaaScore, hintedAt: wall)
    }

    init(_ message: ChatMessage) {
        self.init(
            txid: message.txid, conversationID: message.conversationID, contact: message.contact,
            direction: message.direction == .sent ? .sent : .received, senderTimestamp: message.senderTimestamp,
            blockTime: message.blockTime, acceptingDaaScore: message.acceptingDaaScore,
            status: Status(rawValue: message.status.name), body: message.body,
            attachments: message.attachments.map(AttachmentLine.init), device: nil,
            senderOrder: message.keptSenderOrder > 0 ? UInt64(message.keptSenderOrder) : nil)
    }
}

extension AttachmentLine {
    fileprivate var chatAttachment: ChatAttachment {
        ChatAttachment(
            link: link, mimeType: mimeType, sizeBytes: sizeBytes, durationMilliseconds: duration, width: width,
            height: height,
            inline: inline)
    }

    fileprivate init(_ attachment: ChatAttachment) {
        self.init(
            link: attachment.link, mimeType: attachment.mimeType, sizeBytes: attachment.sizeBytes,
            duration: attachment.durationMilliseconds, width: attachment.width, height: attachment.height,
            inline: attachment.inline)
    }
}
