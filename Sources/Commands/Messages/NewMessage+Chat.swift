package import Chat
import NodeCore
package import NodeModel
import SyncState

extension NewMessage {
    /// The message as `export` writes it.
    package init(_ message: ChatMessage) {
        self.init(
            txid: message.txid.hex, conversationId: message.conversationID, contact: message.contact,
            direction: Direction(message.direction), senderTs: Int(message.senderTimestamp), body: message.body,
            blockTime: message.blockTime.map { Int($0) }, acceptingDaaScore: message.acceptingDaaScore.map { Int($0) },
            attachments: message.attachments.map(Attachment.init))
        status = ChainStatus(rawValue: message.status.name)
        senderOrder = message.keptSenderOrder > 0 ? Int(message.keptSenderOrder) : nil
    }

    /// True if it has nothing to show, or only an old app's text for a missing body.
    func isPlaceholder(_ text: PlaceholderText) -> Bool {
        attachments.isEmpty && (body ?? "").isEmpty || attachments.isEmpty && text.matches(body ?? "")
    }
}

extension ChatMessage {
    /// The message for the store. A missing status is derived from the chain's fields.
    package init(_ line: NewMessage) throws(FieldError) {
        let implied = MessageStatus.implied(
            hasBlockTime: line.blockTime != nil, hasScore: line.acceptingDaaScore != nil)
        var attachments: [ChatAttachment] = []
        for (place, attachment) in line.attachments.enumerated() {
            attachments.append(try ChatAttachment(attachment, at: "attachments[\(place)]"))
        }
        let inline = attachments.reduce(0) { $0 + ($1.inline?.count ?? 0) }
        guard inline <= NodeModel.Limits.inlineBytes else {
            throw FieldError(
                "attachments", "must have at most \(NodeModel.Limits.inlineBytes) bytes inline together, not \(inline)")
        }
        self.init(
            txid: try TxID(line: line.txid), conversationID: line.conversationId, contact: line.contact,
            direction: MessageDirection(line.direction), senderTimestamp: UInt64(line.senderTs),
            blockTime: line.blockTime.map { UInt64($0) },
            acceptingDaaScore: line.acceptingDaaScore.map { UInt64($0) },
            status: line.status.flatMap { MessageStatus(name: $0.rawValue) } ?? implied, body: line.body ?? "",
            attachments: attachments)
        senderOrder = UInt16(clamping: line.senderOrder ?? 0)
    }
}

extension Stub {
    /// The known fields of a message without its body.
    init(_ line: NewMessage, hintedAt wall: WallTime) throws(FieldError) {
        self.init(
            txid: try TxID(line: line.txid), conversationID: line.conversationId, contact: line.contact,
            direction: MessageDirection(line.direction), senderTimestamp: UInt64(line.senderTs),
            blockTime: line.blockTime.map { UInt64($0) },
            acceptingDaaScore: line.acceptingDaaScore.map { UInt64($0) }, hintedAt: wall)
    }
}

extension TxID {
    /// The txid of a checked line.
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
        // The store has 0 for the unknown size of a linked file.
        let isUnknown = attachment.sizeBytes == 0 && attachment.inline == nil
        self.init(
            mimeType: attachment.mimeType, link: attachment.link, inline: attachment.inline.map(Base64.encode),
            sizeBytes: isUnknown ? nil : Int(attachment.sizeBytes), width: attachment.width.map { Int($0) },
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
                    "must be at most \(NodeModel.Limits.inlineAttachmentBytes) bytes in base64, not \(decoded.count)")
            }
            bytes = decoded
        }
        guard attachment.link != nil || bytes != nil else { throw FieldError(place, "must have `link` or `inline`") }
        self.init(
            link: attachment.link, mimeType: attachment.mimeType,
            sizeBytes: attachment.sizeBytes.map { UInt64($0) } ?? UInt64(bytes?.count ?? 0),
            durationMilliseconds: attachment.duration.map { UInt64($0) }, width: attachment.width.map { UInt64($0) },
            height: attachment.height.map { UInt64($0) }, inline: bytes)
    }
}

extension Message {
    /// The message in a list.
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

    /// The message with its first reading, as far as this device knows of it.
    init(inFull listed: ListedMessage, _ zone: AccountZone) throws {
        self.init(listed)
        guard let first = try zone.chat.reads.firstRead(of: listed.message) else { return }
        readAt = Int(first.readAt.milliseconds)
        readBy = first.lane.hex
        readByName = try zone.devices.name(of: first.lane)
    }

    /// A placeholder.
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

extension AddResult {
    init(_ acceptance: Acceptance) {
        self =
            switch acceptance {
            case .new: .new
            case .known: .known
            case .upgraded: .completed
            case .deleted: .deleted
            }
    }
}
