/// A conversation.
public struct Conversation: Model, Hashable, Sendable {
    public var conversationId = ""
    public var title: String?
    /// The other party.
    public var contact = ""
    public var messages = 0
    public var unread = 0
    /// Messages without their bodies yet; not counted in `messages`.
    public var placeholders = 0
    /// Archived messages that are not on this device, whether or not `messages` counts them.
    public var missing = 0
    /// When they were sent, and the devices that may have them; nil if none is missing.
    public var gap: Gap?
    public var lastTxid: String?
    /// In milliseconds since 1970; nil while its newest message is pending.
    public var lastBlockTime: Int?
    /// In seconds since 1970 by the clock of the newest message's sender; nil if there is no message.
    public var lastSenderTs: Int?
    public var lastReadTxid: String?
    public var lastReadBlockTime: Int?
    /// The device on which it was read furthest.
    public var lastReadBy: String?
    public var pinned = false
    public var muted = false
    public var archived = false
    public var markedUnread = false
    /// Set by `conversation(_:)` only.
    public var participants: [Participant] = []
    /// The app's own data in hexadecimal digits; set by `conversation(_:)` only.
    public var checkpoint: String?

    package init() {}

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
        field("lastBlockTime", &lastBlockTime, .time)
        field("lastSenderTs", &lastSenderTs, .senderTime)
        field("lastReadTxid", &lastReadTxid)
        field("lastReadBlockTime", &lastReadBlockTime, .time)
        field("lastReadBy", &lastReadBy)
        field("pinned", &pinned)
        field("muted", &muted)
        field("archived", &archived)
        field("markedUnread", &markedUnread)
        field.optional("gap", &gap)
    }
}

/// A participant of a conversation.
public struct Participant: Model, Hashable, Sendable {
    public var address: String
    public var name: String?

    public init(address: String, name: String? = nil) {
        self.address = address
        self.name = name
    }

    package init() { self.init(address: "") }

    package mutating func fields(_ field: inout FieldCoder) {
        field("address", &address)
        field("name", &name)
    }
}

/// The result of marking a conversation as read.
public struct MarkResult: Model, Hashable, Sendable {
    package static let modelName = "Marked"
    package var conversationId = ""
    /// True if the read position moved.
    public var advanced = false
    /// True if its unread mark was cleared.
    public var cleared = false
    /// Messages of the conversation still unread.
    public var unread = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("conversationId", &conversationId)
        field("advanced", &advanced)
        field("cleared", &cleared)
        field("unread", &unread)
    }
}

/// The result of deleting. The messages disappear here at once, and on other devices when they sync.
public struct DeleteResult: Model, Hashable, Sendable {
    /// A device that archived bodies, with the segments that it rewrites once the deletion cannot be undone.
    public struct Waiting: Model, Hashable, Sendable {
        package static let modelName = "WaitingDevice"
        public var deviceId = ""
        /// Nil if its record is not here.
        public var name: String?
        public var segments = 0

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("deviceId", &deviceId)
            field("name", &name)
            field("segments", &segments)
        }
    }

    /// Deleted messages.
    public var messages = 0
    /// Segments of this device that are rewritten without the bodies, once the deletion cannot be undone.
    public var cutAnew = 0
    /// Segments of devices that no longer exist: the bodies stay in them, sealed.
    public var staySealed = 0
    /// Devices that have to rewrite segments.
    public var waitFor: [Waiting] = []

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("messages", &messages)
        field("cutAnew", &cutAnew)
        field("staySealed", &staySealed)
        field("waitFor", &waitFor)
    }
}

/// A conversation with the fields that are too long for a list.
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

package struct DeletedConversation: Model {
    package var conversationId = ""
    package var result = DeleteResult()

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("conversationId", &conversationId)
        result.fields(&field)
    }
}

/// The answer to restoring a conversation.
package struct RestoredConversation: Model {
    package var conversationId = ""
    /// Messages that are listed again.
    package var messages = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("conversationId", &conversationId)
        field("messages", &messages)
    }
}

package struct ConversationChanged: Model {
    package var conversationId = ""
    package var changed = false

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("conversationId", &conversationId)
        field("changed", &changed)
    }
}

package struct LeftConversation: Model {
    package static let modelName = "Left"
    package var conversationId = ""

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) { field("conversationId", &conversationId) }
}

/// A read position of an old app: a line of `read import`.
public struct ReadLine: Model, Hashable, Sendable {
    public var conversationId = ""
    /// Nil if the app did not keep it.
    public var lastReadTxId: String?
    /// In milliseconds since 1970.
    public var lastReadBlockTime = 0

    package init() {}

    /// - Parameter lastReadBlockTime: in milliseconds since 1970.
    public init(conversationId: String, lastReadTxId: String?, lastReadBlockTime: Int) {
        self.conversationId = conversationId
        self.lastReadTxId = lastReadTxId
        self.lastReadBlockTime = lastReadBlockTime
    }

    package mutating func fields(_ field: inout FieldCoder) {
        field("conversationId", &conversationId, .bytes(Limits.nameBytes))
        field.optional("lastReadTxId", &lastReadTxId, .txid)
        field("lastReadBlockTime", &lastReadBlockTime, .milliseconds)
    }
}

/// The outcome of an import of read positions.
public struct ImportedReads: Model, Hashable, Sendable {
    public var lines = 0
    /// Conversations with a read position further than before.
    public var advanced = 0
    public var refused = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("lines", &lines)
        field("advanced", &advanced)
        field("refused", &refused)
    }
}
