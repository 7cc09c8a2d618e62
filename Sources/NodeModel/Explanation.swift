/// The places of a message or a conversation, its way here, and its missing parts.
public struct Explanation: Model, Hashable, Sendable {
    public var sentence = ""
    public var conversationId: String?
    /// The account's state.
    public var state = ""
    /// The reason that the rest does not come; nil if nothing is to come.
    public var blockedBy: String?
    /// In milliseconds since 1970, as all times but `newestTs` and `endTs`, which are seconds.
    public var nextTry: Int?
    public var message: ExplainedMessage?
    public var conversation: ExplainedConversation?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("sentence", &sentence)
        field("conversationId", &conversationId)
        field("state", &state)
        field("blockedBy", &blockedBy)
        field("nextTry", &nextTry, .time)
        field.together(&message, by: "txid")
        field.together(&conversation, by: "segments")
    }
}

public struct ExplainedMessage: Model, Hashable, Sendable {
    public enum Status: String, Word, Sendable {
        case deleted
        case held
        case syncing
    }

    public var txid = ""
    public var status = Status.held
    public var copies: [CopyPlace] = []
    /// Segments still to come that may hold it.
    public var awaited: [AwaitedSegment] = []
    public var hintedAt: Int?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("txid", &txid, .txid)
        field("status", &status)
        field("copies", &copies)
        field("awaited", &awaited)
        field("hintedAt", &hintedAt, .time)
    }
}

public struct CopyPlace: Model, Hashable, Sendable {
    public enum Place: String, Word, Sendable {
        /// Not archived yet.
        case queue
        case segment
    }

    public var place = Place.queue
    /// True for the copy that lists show.
    public var shown = false
    public var deviceId = ""
    public var device = ""
    public var own = true
    /// Other devices known to have it.
    public var heldBy: [String] = []
    /// Nil in the queue.
    public var segment: Segment?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("place", &place)
        field("shown", &shown)
        field("deviceId", &deviceId)
        field("device", &device)
        field("own", &own)
        field("heldBy", &heldBy)
        field.together(&segment, by: "seq")
    }

    public struct Segment: Model, Hashable, Sendable {
        public var seq = 0
        public var segment = ""
        public var messages = 0
        public var bytes = 0
        public var arrivedAt: Int?
        public var from: String?

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("seq", &seq)
            field("segment", &segment)
            field("messages", &messages)
            field("bytes", &bytes)
            field("arrivedAt", &arrivedAt, .time)
            field("from", &from)
        }
    }
}

public struct AwaitedSegment: Model, Hashable, Sendable {
    public var deviceId = ""
    public var device = ""
    public var seq = 0
    public var messages = 0
    public var bytes = 0
    public var endTs = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("deviceId", &deviceId)
        field("device", &device)
        field("seq", &seq)
        field("messages", &messages)
        field("bytes", &bytes)
        field("endTs", &endTs, .senderTime)
    }
}

public struct ExplainedConversation: Model, Hashable, Sendable {
    public var messages = 0
    public var unread = 0
    public var wantedMessages = 0
    public var wantedBytes = 0
    public var segments: [ArchivedShare] = []

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("messages", &messages)
        field("unread", &unread)
        field("wantedMessages", &wantedMessages)
        field("wantedBytes", &wantedBytes)
        field("segments", &segments)
    }
}

/// One device's share of a conversation's archive.
public struct ArchivedShare: Model, Hashable, Sendable {
    public var deviceId = ""
    public var device = ""
    public var own = false
    public var segments = 0
    public var messages = 0
    public var wantedSegments = 0
    public var wantedMessages = 0
    public var newestTs = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("deviceId", &deviceId)
        field("device", &device)
        field("own", &own)
        field("segments", &segments)
        field("messages", &messages)
        field("wantedSegments", &wantedSegments)
        field("wantedMessages", &wantedMessages)
        field("newestTs", &newestTs, .senderTime)
    }
}
