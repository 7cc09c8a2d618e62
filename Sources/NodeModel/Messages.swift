public enum Direction: String, Word, Hashable, Sendable, Codable, CaseIterable {
    case sent
    case received
}

/// A message's progress on the chain.
public enum ChainStatus: String, Word, Hashable, Sendable, CaseIterable {
    case pending
    case seen
    case confirmed
    case reorged
}

/// A picture or a file of a message: a link to it, or the file itself if it is small.
public struct Attachment: Model, Hashable, Sendable {
    /// Such as `image/png`.
    public var mimeType: String
    public var link: String?
    /// The file itself in base64, up to 12 KiB of it.
    public var inline: String?
    /// The size of the whole file; nil if a link was given without it.
    public var sizeBytes: Int?
    /// In pixels.
    public var width: Int?
    public var height: Int?
    /// In milliseconds.
    public var duration: Int?

    public init(
        mimeType: String, link: String? = nil, inline: String? = nil, sizeBytes: Int? = nil, width: Int? = nil,
        height: Int? = nil, duration: Int? = nil
    ) {
        self.mimeType = mimeType
        self.link = link
        self.inline = inline
        self.sizeBytes = sizeBytes
        self.width = width
        self.height = height
        self.duration = duration
    }

    package init() { self.init(mimeType: "") }

    package mutating func fields(_ field: inout FieldCoder) {
        field("mimeType", &mimeType, .bytes(Limits.mimeTypeBytes))
        field.optional("link", &link, .bytes(Limits.linkBytes))
        field.optional("inline", &inline, .base64(Limits.inlineAttachmentBytes))
        field.formerName("size", of: "sizeBytes")
        field.optional("sizeBytes", &sizeBytes, .upTo(Limits.attachmentNumber))
        field.optional("duration", &duration, .upTo(Limits.attachmentNumber))
        field.optional("width", &width, .upTo(Limits.attachmentNumber))
        field.optional("height", &height, .upTo(Limits.attachmentNumber))
    }
}

/// A message for the archive; a line of an import or an export.
public struct NewMessage: Model, Hashable, Sendable {
    package static let modelName = "Message"
    /// The transaction that carries it, 64 hexadecimal digits. Identifies the message on all devices.
    public var txid: String
    public var conversationId: String
    /// The other party of the conversation.
    public var contact: String
    public var direction: Direction
    /// In seconds since 1970, by the sender's clock.
    public var senderTs: Int
    /// Up to 64 KiB of UTF-8. Nil if the app lacks it: the other devices are asked for it.
    public var body: String?
    /// The time of its block, in milliseconds since 1970; nil while it is pending.
    public var blockTime: Int?
    public var acceptingDaaScore: Int?
    /// Nil to derive it from `blockTime` and `acceptingDaaScore`.
    public var status: ChainStatus?
    public var attachments: [Attachment]
    /// The device that wrote the line; read by `import --device` only.
    public var device: String?
    /// Its position from 0 among messages sent in one second; nil places it after those added before.
    public var senderOrder: Int?

    public init(
        txid: String, conversationId: String, contact: String, direction: Direction, senderTs: Int, body: String?,
        blockTime: Int? = nil, acceptingDaaScore: Int? = nil, attachments: [Attachment] = []
    ) {
        self.txid = txid
        self.conversationId = conversationId
        self.contact = contact
        self.direction = direction
        self.senderTs = senderTs
        self.body = body
        self.blockTime = blockTime
        self.acceptingDaaScore = acceptingDaaScore
        self.attachments = attachments
    }

    package init() { self.init(txid: "", conversationId: "", contact: "", direction: .sent, senderTs: 0, body: nil) }

    package mutating func fields(_ field: inout FieldCoder) {
        field("txid", &txid, .txid)
        fieldsBesideTxid(&field)
    }

    fileprivate mutating func fieldsBesideTxid(_ field: inout FieldCoder) {
        field("conversationId", &conversationId, .bytes(Limits.nameBytes, of: .text))
        field("contact", &contact, .bytes(Limits.nameBytes))
        field("direction", &direction)
        field("senderTs", &senderTs, .seconds)
        field.optional("senderOrder", &senderOrder, .upTo(Limits.senderOrder))
        field.optional("blockTime", &blockTime, .milliseconds)
        field.optional("acceptingDaaScore", &acceptingDaaScore, .upTo(Limits.acceptingDaaScore))
        field.optional("status", &status)
        field.optional("body", &body, .bytes(Limits.bodyBytes, orEmpty: true))
        field.optional("device", &device, .bytes(Limits.nameBytes))
        field.list("attachments", &attachments, most: Limits.attachments)
    }
}

/// A message of the archive.
public struct Message: Model, Hashable, Sendable {
    package static let modelName = "ListedMessage"
    public var txid = ""
    /// Nil for a placeholder of an unknown conversation, as `contact`.
    public var conversationId: String?
    public var contact: String?
    public var direction = Direction.sent
    /// In seconds since 1970; 0 if unknown.
    public var senderTs = 0
    /// In milliseconds since 1970; nil while it is pending.
    public var blockTime: Int?
    public var acceptingDaaScore: Int?
    /// `pending`, `seen`, `confirmed` or `reorged`; `syncing` for a placeholder.
    public var status = ""
    /// Nil for a placeholder.
    public var body: String?
    public var attachments: [Attachment] = []
    public var isRead = false
    /// Gets the next page of a list, as `cursor`.
    public var cursor: String?
    /// The first reading that this device knows of; only in the answer about one message.
    public var readAt: Int?
    public var readBy: String?
    public var readByName: String?
    /// Of a placeholder: what it waits for, in a sentence; since when; and the next attempt.
    public var waitingFor: String?
    public var hintedAt: Int?
    public var nextTry: Int?
    /// Its position among messages sent in one second.
    public var senderOrder: Int?
    /// Missing messages right after this one and right before it; only in lists.
    public var missingAfter: Gap?
    public var missingBefore: Gap?

    package init() {}

    /// True while its body is not here yet.
    public var isPlaceholder: Bool { status == "syncing" }

    package mutating func fields(_ field: inout FieldCoder) {
        field("txid", &txid, .txid)
        field.optional("conversationId", &conversationId)
        field.optional("contact", &contact)
        field("direction", &direction)
        field("senderTs", &senderTs, .senderTime)
        field.optional("senderOrder", &senderOrder)
        field.optional("blockTime", &blockTime, .time)
        field.optional("acceptingDaaScore", &acceptingDaaScore)
        field("status", &status)
        field.optional("body", &body)
        field.list("attachments", &attachments)
        field("read", &isRead)
        field.optional("cursor", &cursor)
        field.optional("readAt", &readAt, .time)
        field.optional("readBy", &readBy)
        field.optional("readByName", &readByName, asNull: readBy != nil)
        field.optional("waitingFor", &waitingFor)
        field.optional("hintedAt", &hintedAt, .time)
        field.optional("nextTry", &nextTry, .time, asNull: waitingFor != nil)
        field.optional("missingAfter", &missingAfter)
        field.optional("missingBefore", &missingBefore)
    }
}

/// Archived messages that are not on this device, at their place in a conversation's list.
public struct Gap: Model, Hashable, Sendable {
    /// A device that may have them.
    public struct Holder: Model, Hashable, Sendable {
        package static let modelName = "GapHolder"
        public var deviceId = ""
        public var name: String?
        public var connected = false
        /// In milliseconds since 1970; nil for never.
        public var seenAt: Int?

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("deviceId", &deviceId)
            field("name", &name)
            field("connected", &connected)
            field("seenAt", &seenAt, .time)
        }
    }

    public var messages = 0
    /// The senders' times of the first and the last, in milliseconds since 1970; nil if unknown.
    public var from: Int?
    public var to: Int?
    /// Their number, their days, and the devices that may have them.
    public var sentence = ""
    /// The most likely first.
    public var holders: [Holder] = []

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("messages", &messages)
        field("from", &from, .time)
        field("to", &to, .time)
        field("sentence", &sentence)
        field("devices", &holders)
    }
}

/// The outcome of adding or hinting a message.
public enum AddResult: String, Word, Hashable, Sendable, CaseIterable {
    case new
    /// It was here already.
    case known
    /// It was here, and more of it is kept now: further fields, or another content. Of several contents of one message
    /// all devices show the same.
    case completed
    /// It was deleted before, and stays deleted.
    case deleted
    /// It is a placeholder now, and the devices in reach are asked for its body.
    case hinted
    /// The hinted message's body is here already.
    case held
}

/// The outcome of a chain event about a message.
public enum ChainResult: String, Word, Hashable, Sendable, CaseIterable {
    case changed
    case known
    /// Kept until the message arrives.
    case waiting
    case deleted
}

/// A message with its txid in the request's path.
package struct NamedMessage: Model {
    package var message = NewMessage()

    package init() {}
    package init(_ message: NewMessage) { self.message = message }

    package mutating func fields(_ field: inout FieldCoder) { message.fieldsBesideTxid(&field) }
}
