/// A line of an export about a conversation, or of a deletion, instead of a message.
package struct StateFields: Model {
    package static let modelName = "State"

    package enum Kind: String, Word {
        /// The messages up to which a conversation was read, and those read by themselves.
        case read
        /// The deletion of a message, or of a conversation up to a time.
        case deleted
        /// Title, participants, flags and checkpoint of a conversation.
        case conversation
    }

    /// A message up to which a conversation was read, with its place in the chain and its time then.
    package struct Bound: Model {
        package static let modelName = "ReadUpTo"
        package var txid = ""
        package var acceptingDaaScore: Int?
        package var time = 0

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("txid", &txid, .txid)
            field.optional("acceptingDaaScore", &acceptingDaaScore)
            field("time", &time, .time)
        }
    }

    /// A value with the revision and the time that order its changes.
    package struct Revised<Value: FieldValue>: Model {
        package static var modelName: String { "Revised" + "\(Value.self)".filter(\.isLetter) }
        package var value = Value.blank
        package var revision = 0
        package var at = 0

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("value", &value)
            field("revision", &revision)
            field("at", &at, .time)
        }
    }

    package var kind = Kind.read
    package var conversationId: String?
    // Of `read`.
    package var readAt: Int?
    package var upTo: [Bound] = []
    package var named: [String] = []
    // Of `deleted`.
    package var txid: String?
    package var at: Int?
    package var through: Int?
    // Of `conversation`.
    package var title: Revised<String>?
    package var participants: Revised<[Participant]>?
    package var pinned: Revised<Bool>?
    package var muted: Revised<Bool>?
    package var archived: Revised<Bool>?
    package var markedUnread: Revised<Bool>?
    package var checkpoint: Revised<String>?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("kind", &kind)
        field.optional("conversationId", &conversationId)
        field.optional("readAt", &readAt, .time)
        field.list("upTo", &upTo)
        field.list("named", &named)
        field.optional("txid", &txid, .txid)
        field.optional("at", &at, .time)
        field.optional("through", &through, .time)
        field.optional("title", &title)
        field.optional("participants", &participants)
        field.optional("pinned", &pinned)
        field.optional("muted", &muted)
        field.optional("archived", &archived)
        field.optional("markedUnread", &markedUnread)
        field.optional("checkpoint", &checkpoint)
    }
}
