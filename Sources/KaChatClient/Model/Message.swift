/// Who wrote a message.
public enum Direction: String, Hashable, Sendable, Codable {
    case sent
    case received
}

/// A picture or a file that belongs to a message: a link to it, or the whole of a small one.
public struct Attachment: Hashable, Sendable {
    /// Such as `image/png`.
    public var mimeType: String
    public var link: String?
    /// The file itself in base64, up to 12 KiB of it.
    public var inline: String?
    /// Of the whole thing.
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
}

/// A message that the app has, to be added to the archive.
public struct NewMessage: Hashable, Sendable {
    /// The transaction that carries it, 64 hexadecimal digits: the same txid is the same message, on all devices.
    public var txid: String
    public var conversationId: String
    /// Whom the conversation is with.
    public var contact: String
    public var direction: Direction
    /// When it was written, by its sender, in seconds since 1970.
    public var senderTs: Int
    /// Up to 64 KiB of UTF-8. Nil: it is not here, and the other devices are asked for it.
    public var body: String?
    /// Of its block, in milliseconds since 1970; nil while it is pending.
    public var blockTime: Int?
    public var acceptingDaaScore: Int?
    public var attachments: [Attachment]

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
}

/// A message of the archive.
public struct Message: Hashable, Sendable {
    public let txid: String
    /// Of a placeholder, nil while it is not known yet; so are `contact` and `senderTs`.
    public let conversationId: String?
    public let contact: String?
    public let direction: Direction
    /// In seconds since 1970; 0 where it is not known.
    public let senderTs: Int
    /// In milliseconds since 1970; nil while it is pending.
    public let blockTime: Int?
    public let acceptingDaaScore: Int?
    /// `pending`, `seen`, `confirmed`, `reorged`; `syncing` of a placeholder.
    public let status: String
    /// Nil of a placeholder.
    public let body: String?
    public let attachments: [Attachment]
    public let isRead: Bool
    /// When and where it was read first, as far as this device saw; told by `message(_:)` only.
    public let readAt: Int?
    public let readBy: String?
    /// Of a placeholder: what it waits for, in a sentence.
    public let waitingFor: String?
    /// Messages of the conversation that are known of and missing here, right after this one and right before it; told
    /// by lists only.
    public let missingAfter: Gap?
    public let missingBefore: Gap?

    /// Its body is not here yet.
    public var isPlaceholder: Bool { status == "syncing" }
}

/// Messages that were archived and are not on this device, in their place in a conversation's list.
public struct Gap: Hashable, Sendable {
    /// A device that may have them.
    public struct Holder: Hashable, Sendable {
        public let deviceId: String
        public let name: String?
        public let connected: Bool
    }

    public let messages: Int
    /// Sender's times of the first and the last, in seconds since 1970.
    public let from: Int?
    public let to: Int?
    /// How many, of which days, and who may have them.
    public let sentence: String
    /// The likeliest first.
    public let holders: [Holder]
}

/// A part of a list, the newest first, and from where it goes on.
public struct MessagePage: Hashable, Sendable {
    public let messages: [Message]
    /// For the next page, as `before`; nil behind the last.
    public let next: String?
}

/// What became of a message that was added or hinted.
public enum AddResult: String, Hashable, Sendable {
    case new
    /// It was here already.
    case known
    /// It was here, and more is known of it now.
    case completed
    /// It was deleted, and stays so.
    case deleted
    /// It is a placeholder now: the devices in reach are asked for its body.
    case hinted
    /// Its body is here already (of a hint).
    case held
}

/// What became of what the chain says of a message.
public enum ChainResult: String, Hashable, Sendable {
    case changed
    case known
    /// The message is not here yet; it will be so when it comes.
    case waiting
    case deleted
}

extension Attachment: Readable {
    init(_ fields: Fields) throws(ClientError) {
        mimeType = try fields.text("mimeType")
        link = fields.optionalText("link")
        inline = fields.optionalText("inline")
        sizeBytes = fields.optionalCount("sizeBytes")
        width = fields.optionalCount("width")
        height = fields.optionalCount("height")
        duration = fields.optionalCount("duration")
    }
}

extension Message: Readable {
    init(_ fields: Fields) throws(ClientError) {
        txid = try fields.text("txid")
        conversationId = fields.optionalText("conversationId")
        contact = fields.optionalText("contact")
        guard let way = Direction(rawValue: try fields.text("direction")) else {
            throw .badAnswer("a message's direction is none")
        }
        direction = way
        senderTs = fields.optionalCount("senderTs") ?? 0
        blockTime = fields.optionalCount("blockTime")
        acceptingDaaScore = fields.optionalCount("acceptingDaaScore")
        status = try fields.text("status")
        body = fields.optionalText("body")
        attachments = try fields.optionalList("attachments", of: Attachment.self)
        isRead = try fields.flag("read")
        readAt = fields.optionalCount("readAt")
        readBy = fields.optionalText("readBy")
        waitingFor = fields.optionalText("waitingFor")
        missingAfter = try fields.optional("missingAfter", Gap.self)
        missingBefore = try fields.optional("missingBefore", Gap.self)
    }
}

extension Gap: Readable {
    init(_ fields: Fields) throws(ClientError) {
        messages = try fields.count("messages")
        from = fields.optionalCount("from")
        to = fields.optionalCount("to")
        sentence = try fields.text("sentence")
        holders = try fields.optionalList("devices", of: Holder.self)
    }
}

extension Gap.Holder: Readable {
    init(_ fields: Fields) throws(ClientError) {
        deviceId = try fields.text("deviceId")
        name = fields.optionalText("name")
        connected = try fields.flag("connected")
    }
}

extension MessagePage: Readable {
    init(_ fields: Fields) throws(ClientError) {
        messages = try fields.list("items", of: Message.self)
        next = fields.optionalText("next")
    }
}
