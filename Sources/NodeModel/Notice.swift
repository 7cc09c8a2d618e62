/// An event worth a notification.
public struct Notice: Model, Hashable, Sendable {
    public enum Kind: String, Word, Sendable {
        /// The stream begins here: nothing has happened yet.
        case here
        /// A received, unread message.
        case message
        /// Another member posted a result.
        case score
        /// Another member overtook the user in the week's standings.
        case overtaken
        /// A streak ends soon, with the day.
        case streak
    }

    public var kind = Kind.message
    /// A sentence. Names in it are chosen by others.
    public var text = ""
    /// The place in the change feed from which a reader continues.
    public var token: String?
    // Of messages.
    public var conversationId: String?
    public var title: String?
    public var contact: String?
    /// New messages, and unread ones of the conversation.
    public var count: Int?
    public var unread: Int?
    public var txids: [String]?
    // In a group.
    public var groupId: String?
    public var group: String?
    /// The other member, and the result.
    public var memberId: String?
    public var name: String?
    public var gameId: String?
    public var gameName: String?
    public var dateInt: Int?
    public var score: Int?
    public var completed: Bool?
    /// The user's own in the week's standings.
    public var rank: Int?
    public var points: Int?
    public var currentStreak: Int?
    /// Until the day ends.
    public var secondsLeft: Int?

    package init() {}

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    package var nextPlace: String? { token }
    package var eventName: String? { kind.rawValue }

    package mutating func fields(_ field: inout FieldCoder) {
        field("kind", &kind)
        field("text", &text)
        field("token", &token)
        field.optional("conversationId", &conversationId)
        field.optional("title", &title, asNull: kind == .message)
        field.optional("contact", &contact)
        field.optional("count", &count)
        field.optional("unread", &unread)
        field.optional("txids", &txids)
        field.optional("groupId", &groupId)
        field.optional("group", &group)
        field.optional("memberId", &memberId)
        field.optional("name", &name)
        field.optional("gameId", &gameId)
        field.optional("gameName", &gameName)
        field.optional("dateInt", &dateInt, .day)
        field.optional("score", &score, asNull: kind == .score)
        field.optional("completed", &completed)
        field.optional("rank", &rank)
        field.optional("points", &points)
        field.optional("currentStreak", &currentStreak)
        field.optional("secondsLeft", &secondsLeft)
    }
}
