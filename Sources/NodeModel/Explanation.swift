/// The places of a message or a conversation, its way here, and its missing parts.
package struct Explanation: Model {
    package var sentence = ""
    package var conversationId: String?
    /// The account's state.
    package var state = ""
    /// What keeps the rest from coming; nil if nothing is to come.
    package var blockedBy: String?
    /// In milliseconds since 1970, as all times but `newestTs` and `endTs`, which are seconds.
    package var nextTry: Int?
    package var message: ExplainedMessage?
    package var conversation: ExplainedConversation?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("sentence", &sentence)
        field("conversationId", &conversationId)
        field("state", &state)
        field("blockedBy", &blockedBy)
        field("nextTry", &nextTry)
        field.together(&message, by: "txid")
        field.together(&conversation, by: "segments")
    }
}

package struct ExplainedMessage: Model {
    package enum Status: String, Word {
        case deleted
        case held
        case syncing
    }

    package var txid = ""
    package var status = Status.held
    package var copies: [CopyPlace] = []
    /// Segments still to come that may hold it.
    package var awaited: [AwaitedSegment] = []
    package var hintedAt: Int?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("txid", &txid, .txid)
        field("status", &status)
        field("copies", &copies)
        field("awaited", &awaited)
        field("hintedAt", &hintedAt)
    }
}

package struct CopyPlace: Model {
    package enum Place: String, Word {
        /// Not archived yet.
        case queue
        case segment
    }

    package var place = Place.queue
    /// True for the copy that lists show.
    package var shown = false
    package var deviceId = ""
    package var device = ""
    package var own = true
    /// Other devices known to have it.
    package var heldBy: [String] = []
    /// Nil in the queue.
    package var segment: Segment?

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

    package struct Segment: Model {
        package var seq = 0
        package var segment = ""
        package var messages = 0
        package var bytes = 0
        package var arrivedAt: Int?
        package var from: String?

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("seq", &seq)
            field("segment", &segment)
            field("messages", &messages)
            field("bytes", &bytes)
            field("arrivedAt", &arrivedAt)
            field("from", &from)
        }
    }
}

package struct AwaitedSegment: Model {
    package var deviceId = ""
    package var device = ""
    package var seq = 0
    package var messages = 0
    package var bytes = 0
    package var endTs = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("deviceId", &deviceId)
        field("device", &device)
        field("seq", &seq)
        field("messages", &messages)
        field("bytes", &bytes)
        field("endTs", &endTs)
    }
}

package struct ExplainedConversation: Model {
    package var messages = 0
    package var unread = 0
    package var wantedMessages = 0
    package var wantedBytes = 0
    package var segments: [ArchivedShare] = []

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
package struct ArchivedShare: Model {
    package var deviceId = ""
    package var device = ""
    package var own = false
    package var segments = 0
    package var messages = 0
    package var wantedSegments = 0
    package var wantedMessages = 0
    package var newestTs = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("deviceId", &deviceId)
        field("device", &device)
        field("own", &own)
        field("segments", &segments)
        field("messages", &messages)
        field("wantedSegments", &wantedSegments)
        field("wantedMessages", &wantedMessages)
        field("newestTs", &newestTs)
    }
}
