package import Chat
import NodeCore
package import NodeModel
import SyncState

extension NewMessage {
    /// As `export` writes it.
    package init(_ message: ChatMessage) {
        self.init(
            txid: message.txid.hex, conversationId: message.conversationID, contact: message.contact,
            direction: Direction(message.direction), senderTs: Int(message.senderTimestamp), body: message.body,
            blockTime: message.blockTime.map { Int($0) }, acceptingDaaScore: message.acceptingDaaScore.map { Int($0) },
            attachments: message.attachments.map(Attachment.init))
        status = ChainStatus(rawValue: message.status.name)
        senderOrder = message.keptSenderOrder > 0 ? Int(message.keptSenderOrder) : nil
    }

    /// True where it has nothing to show, or what an old app has in its place.
    func isPlaceholder(_ text: PlaceholderText) -> Bool {
        attachments.isEmpty && (body ?? "").isEmpty || attachments.isEmpty && text.matches(body ?? "")
    }
}

extension ChatMessage {
    /// The message as the store takes it. Without a status it says by its fields how far the chain has taken it.
    package init(_ line: NewMessage) throws(FieldError) {
        let implied = MessageStatus.implied(
            hasBlockTime: line.blockTime != nil, hasScore: line.acceptingDaaScore != nil)
        var attachments: [ChatAttachment] = []
        for (place, attachment) in line.attachments.enumerated() {
            attachments.append(try ChatAttachment(attachment, at: "attachments[\(place)]"))
        }
        self.init(
            txid: try TxID(line: line.txid), conversationID: try line.checkedConversation, contact: line.contact,
            direction: MessageDirection(line.direction), senderTimestamp: UInt64(line.senderTs),
            blockTime: line.blockTime.map { UInt64($0) },
            acceptingDaaScore: line.acceptingDaaScore.map { UInt64($0) },
            status: line.status.flatMap { MessageStatus(name: $0.rawValue) } ?? implied, body: line.body ?? "",
            attachments: attachments)
        senderOrder = UInt16(clamping: line.senderOrder ?? 0)
    }
}

extension Stub {
    /// What is known of a message whose body is not here.
    init(_ line: NewMessage, hintedAt wall: WallTime) throws(FieldError) {
        self.init(
            txid: try TxID(line: line.txid), conversationID: try line.checkedConversation, contact: line.contact,
            direction: MessageDirection(line.direction), senderTimestamp: UInt64(line.senderTs),
            blockTime: line.blockTime.map { UInt64($0) },
            acceptingDaaScore: line.acceptingDaaScore.map { UInt64($0) }, hintedAt: wall)
    }
}

extension NewMessage {
    /// No command line and no address could name a conversation with a zero in it.
    fileprivate var checkedConversation: String {
        get throws(FieldError) {
            guard !conversationId.utf8.contains(0) else {
                throw FieldError("conversationId", "holds a character 0")
            }
            return conversationId
        }
    }
}

extension TxID {
    /// Of a line whose fields were checked.
    init(line text: String) throws(FieldError) {
        guard let id = TxID(hex: text) else { throw FieldError("txid", "must have 64 hexadecimal digits") }
        self = id
    }
}

extension Direction {
    init(_ direction: MessageDirection) { self = direction == .sent ? .sent : .received }
}

extension MessageDirection {
    init(_ direction: Direction) { self = direction == .sent ? .sent : .received }
}

extension Attachment {
    fileprivate init(_ attachment: ChatAttachment) {
        self.init(
            mimeType: attachment.mimeType, link: attachment.link, inline: attachment.inline.map(Base64.encode),
            sizeBytes: Int(attachment.sizeBytes), width: attachment.width.map { Int($0) },
            height: attachment.height.map { Int($0) }, duration: attachment.durationMilliseconds.map { Int($0) })
    }
}

extension ChatAttachment {
    fileprivate init(_ attachment: Attachment, at place: String) throws(FieldError) {
        var bytes: [UInt8]?
        if let text = attachment.inline {
            guard let decoded = Base64.decode(text) else { throw FieldError(place + ".inline", "must be base64") }
            guard decoded.count <= NodeModel.Limits.inlineAttachmentBytes else {
                throw FieldError(
                    place + ".inline",
                    "has \(decoded.count) bytes, more than \(NodeModel.Limits.inlineAttachmentBytes)")
            }
            bytes = decoded
        }
        guard attachment.link != nil || bytes != nil else { throw FieldError(place, "lacks `link` and `inline`") }
        self.init(
            link: attachment.link, mimeType: attachment.mimeType,
            sizeBytes: attachment.sizeBytes.map { UInt64($0) } ?? UInt64(bytes?.count ?? 0),
            durationMilliseconds: attachment.duration.map { UInt64($0) }, width: attachment.width.map { UInt64($0) },
            height: attachment.height.map { UInt64($0) }, inline: bytes)
    }
}

extension Message {
    /// As a list gives it.
    package init(_ listed: ListedMessage) {
        self.init()
        let message = NewMessage(listed.message)
        txid = message.txid
        conversationId = message.conversationId
        contact = message.contact
        direction = message.direction
        senderTs = message.senderTs
        senderOrder = message.senderOrder
        blockTime = message.blockTime
        acceptingDaaScore = message.acceptingDaaScore
        status = listed.message.status.name
        body = message.body
        attachments = message.attachments
        isRead = listed.isRead
        cursor = listed.cursor.text
    }

    /// Also when it was read first, and on which device, as far as this one saw.
    init(inFull listed: ListedMessage, _ zone: AccountZone) throws {
        self.init(listed)
        guard let first = try zone.chat.reads.firstRead(of: listed.message) else { return }
        readAt = Int(first.readAt.milliseconds)
        readBy = first.lane.hex
        readByName = try zone.devices.name(of: first.lane)
    }

    /// One whose body is not here.
    init(_ stub: Stub, waiting: StubWait) {
        self.init()
        txid = stub.txid.hex
        conversationId = stub.conversationID
        contact = stub.contact
        direction = Direction(stub.direction)
        senderTs = Int(stub.senderTimestamp)
        blockTime = stub.blockTime.map { Int($0) }
        acceptingDaaScore = stub.acceptingDaaScore.map { Int($0) }
        status = "syncing"
        isRead = true
        cursor = stub.cursor.text
        hintedAt = Int(stub.hintedAt.milliseconds)
        waitingFor = waiting.reason
        nextTry = waiting.nextTry.map { Int($0.milliseconds) }
    }
}
