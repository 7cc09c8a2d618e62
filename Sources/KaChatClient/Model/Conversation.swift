/// A conversation: what is shown of it in a list.
public struct Conversation: Hashable, Sendable {
    public let conversationId: String
    public let title: String?
    /// Whom it is with.
    public let contact: String
    public let messages: Int
    public let unread: Int
    /// Messages that exist and whose bodies are not here yet; they are not in `messages`.
    public let placeholders: Int
    /// Messages, counted in `messages` or not, that were archived and are not on this device.
    public let missing: Int
    public let lastTxid: String?
    /// In milliseconds since 1970; nil while its newest message is pending.
    public let lastBlockTime: Int?
    public let lastReadTxid: String?
    public let lastReadBlockTime: Int?
    public let pinned: Bool
    public let muted: Bool
    public let archived: Bool
    public let markedUnread: Bool
    /// Told by `conversation(_:)` only.
    public let participants: [Participant]
    /// What the app put there, in hexadecimal digits; told by `conversation(_:)` only.
    public let checkpoint: String?
}

/// Somebody in a conversation.
public struct Participant: Hashable, Sendable {
    public var address: String
    public var name: String?

    public init(address: String, name: String? = nil) {
        self.address = address
        self.name = name
    }
}

/// What is to be set of a conversation, on all devices. What is nil stays as it is; two devices that set different
/// things both win.
public struct ConversationChange: Hashable, Sendable {
    /// An empty text takes the title away.
    public var title: String?
    /// The whole list.
    public var participants: [Participant]?
    public var pinned: Bool?
    public var muted: Bool?
    public var archived: Bool?
    public var markedUnread: Bool?
    /// Up to 512 bytes in hexadecimal digits, of which the node knows nothing.
    public var checkpoint: String?

    public init(
        title: String? = nil, participants: [Participant]? = nil, pinned: Bool? = nil, muted: Bool? = nil,
        archived: Bool? = nil, markedUnread: Bool? = nil, checkpoint: String? = nil
    ) {
        self.title = title
        self.participants = participants
        self.pinned = pinned
        self.muted = muted
        self.archived = archived
        self.markedUnread = markedUnread
        self.checkpoint = checkpoint
    }
}

/// What marking did.
public struct MarkResult: Hashable, Sendable {
    /// The read position moved.
    public let advanced: Bool
    /// Messages of the conversation that are still not read.
    public let unread: Int
}

/// What deleting did. Here it is gone at once, on the other devices when they hear of it.
public struct DeleteResult: Hashable, Sendable {
    /// Messages that are gone.
    public let messages: Int
    /// Segments of this device that are written anew without the bodies.
    public let cutAnew: Int
    /// Segments of devices that do not exist any more: the bodies stay in them, sealed.
    public let staySealed: Int
}

extension Conversation: Readable {
    init(_ fields: Fields) throws(ClientError) {
        conversationId = try fields.text("conversationId")
        title = fields.optionalText("title")
        contact = try fields.text("contact")
        messages = try fields.count("messages")
        unread = try fields.count("unread")
        placeholders = try fields.count("placeholders")
        missing = fields.optionalCount("missing") ?? 0
        lastTxid = fields.optionalText("lastTxid")
        lastBlockTime = fields.optionalCount("lastBlockTime")
        lastReadTxid = fields.optionalText("lastReadTxid")
        lastReadBlockTime = fields.optionalCount("lastReadBlockTime")
        pinned = try fields.flag("pinned")
        muted = try fields.flag("muted")
        archived = try fields.flag("archived")
        markedUnread = try fields.flag("markedUnread")
        participants = try fields.optionalList("participants", of: Participant.self)
        checkpoint = fields.optionalText("checkpoint")
    }
}

extension Participant: Readable {
    init(_ fields: Fields) throws(ClientError) {
        address = try fields.text("address")
        name = fields.optionalText("name")
    }
}

extension MarkResult: Readable {
    init(_ fields: Fields) throws(ClientError) {
        advanced = try fields.flag("advanced")
        unread = try fields.count("unread")
    }
}

extension DeleteResult: Readable {
    init(_ fields: Fields) throws(ClientError) {
        messages = try fields.count("messages")
        cutAnew = try fields.count("cutAnew")
        staySealed = try fields.count("staySealed")
    }
}
