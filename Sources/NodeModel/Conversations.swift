/// A conversation: what is shown of it in a list.
public struct Conversation: Hashable, Sendable {
    public var conversationId = ""
    public var title: String?
    /// Whom it is with.
    public var contact = ""
    public var messages = 0
    public var unread = 0
    /// Messages that exist and whose bodies are not here yet; they are not in `messages`.
    public var placeholders = 0
    /// Messages, counted in `messages` or not, that were archived and are not on this device.
    public var missing = 0
    public var lastTxid: String?
    /// In milliseconds since 1970; nil while its newest message is pending.
    public var lastBlockTime: Int?
    /// By the clock of its newest message's sender, in seconds since 1970; nil where there is none.
    public var lastSenderTs: Int?
    public var lastReadTxid: String?
    public var lastReadBlockTime: Int?
    /// The device on which it was read furthest.
    public var lastReadBy: String?
    public var pinned = false
    public var muted = false
    public var archived = false
    public var markedUnread = false
    /// Told by `conversation(_:)` only.
    public var participants: [Participant] = []
    /// What the app put there, in hexadecimal digits; told by `conversation(_:)` only.
    public var checkpoint: String?

    package init() {}
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

/// What marking did.
public struct MarkResult: Hashable, Sendable {
    package var conversationId = ""
    /// The read position moved.
    public var advanced = false
    /// The conversation does not look unread any more.
    public var cleared = false
    /// Messages of the conversation that are still not read.
    public var unread = 0

    package init() {}
}

/// What deleting did. Here it is gone at once, on the other devices when they hear of it.
public struct DeleteResult: Hashable, Sendable {
    /// A device that archived a body, and in how many segments it is to be cut anew.
    public struct Waiting: Hashable, Sendable {
        public var deviceId = ""
        public var segments = 0

        package init() {}
    }

    /// Messages that are gone.
    public var messages = 0
    /// Segments of this device that are written anew without the bodies.
    public var cutAnew = 0
    /// Segments of devices that do not exist any more: the bodies stay in them, sealed.
    public var staySealed = 0
    /// Devices that have to write segments anew.
    public var waitFor: [Waiting] = []

    package init() {}
}

// MARK: Fields

extension Conversation: Model {
    package mutating func fields(_ field: inout FieldCoder) {
        listedFields(&field)
        field.list("participants", &participants)
        field.optional("checkpoint", &checkpoint)
    }

    fileprivate mutating func listedFields(_ field: inout FieldCoder) {
        field("conversationId", &conversationId)
        field("title", &title)
        field("contact", &contact)
        field("messages", &messages)
        field("unread", &unread)
        field("placeholders", &placeholders)
        field("missing", &missing)
        field("lastTxid", &lastTxid)
        field("lastBlockTime", &lastBlockTime)
        field("lastSenderTs", &lastSenderTs)
        field("lastReadTxid", &lastReadTxid)
        field("lastReadBlockTime", &lastReadBlockTime)
        field("lastReadBy", &lastReadBy)
        field("pinned", &pinned)
        field("muted", &muted)
        field("archived", &archived)
        field("markedUnread", &markedUnread)
    }
}

/// A conversation with what is too long for a list.
package struct ConversationInFull: Model {
    package static let modelName = "ConversationDetails"
    package var conversation = Conversation()

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        conversation.listedFields(&field)
        field("participants", &conversation.participants)
        field("checkpoint", &conversation.checkpoint)
    }
}

extension Participant: Model {
    package init() { self.init(address: "") }

    package mutating func fields(_ field: inout FieldCoder) {
        field("address", &address)
        field("name", &name)
    }
}

extension MarkResult: Model {
    package static let modelName = "Marked"

    package mutating func fields(_ field: inout FieldCoder) {
        field("conversationId", &conversationId)
        field("advanced", &advanced)
        field("cleared", &cleared)
        field("unread", &unread)
    }
}

extension DeleteResult: Model {
    package mutating func fields(_ field: inout FieldCoder) {
        field("messages", &messages)
        field("cutAnew", &cutAnew)
        field("staySealed", &staySealed)
        field("waitFor", &waitFor)
    }
}

extension DeleteResult.Waiting: Model {
    package static let modelName = "WaitingDevice"

    package mutating func fields(_ field: inout FieldCoder) {
        field("deviceId", &deviceId)
        field("segments", &segments)
    }
}

/// The answer to deleting a conversation.
package struct DeletedConversation: Model {
    package var conversationId = ""
    package var result = DeleteResult()

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("conversationId", &conversationId)
        result.fields(&field)
    }
}

/// The answer to setting something of a conversation.
package struct ConversationChanged: Model {
    package var conversationId = ""
    package var changed = false

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("conversationId", &conversationId)
        field("changed", &changed)
    }
}

/// The answer to leaving a conversation.
package struct LeftConversation: Model {
    package static let modelName = "Left"
    package var conversationId = ""

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) { field("conversationId", &conversationId) }
}

/// How far an old app says that a conversation was read: a line of `read import`.
package struct ReadLine: Model {
    package var conversationId = ""
    /// Nil where the app did not keep it.
    package var lastReadTxId: String?
    /// In milliseconds since 1970.
    package var lastReadBlockTime = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("conversationId", &conversationId, .bytes(Limits.nameBytes))
        field.optional("lastReadTxId", &lastReadTxId, .txid)
        field("lastReadBlockTime", &lastReadBlockTime, .count(upTo: Limits.timeMilliseconds))
    }
}

/// The counts of an import of such lines.
package struct ImportedReads: Model {
    package var lines = 0
    /// Conversations that are read further than before.
    package var advanced = 0
    package var refused = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("lines", &lines)
        field("advanced", &advanced)
        field("refused", &refused)
    }
}
