/// An event worth a notification.
package struct Notice: Model {
    package enum Kind: String, Word {
        /// A received, unread message.
        case message
        /// Another member posted a result.
        case score
        /// Another member overtook the user in the week's standings.
        case overtaken
        /// A streak ends soon, with the day.
        case streak
    }

    package var kind = Kind.message
    /// A sentence. Names in it are chosen by others.
    package var text = ""
    /// The place in the change feed from which a reader continues.
    package var token: String?
    // Of messages.
    package var conversationId: String?
    package var title: String?
    package var contact: String?
    /// New messages, and unread ones of the conversation.
    package var count: Int?
    package var unread: Int?
    package var txids: [String]?
    // In a group.
    package var groupId: String?
    package var group: String?
    /// The other member, and the result.
    package var memberId: String?
    package var name: String?
    package var gameId: String?
    package var gameName: String?
    package var dateInt: Int?
    package var score: Int?
    package var completed: Bool?
    /// The user's own in the week's standings.
    package var rank: Int?
    package var points: Int?
    package var currentStreak: Int?
    /// Until the day ends.
    package var secondsLeft: Int?

    package init() {}

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

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
        field.optional("dateInt", &dateInt)
        field.optional("score", &score, asNull: kind == .score)
        field.optional("completed", &completed)
        field.optional("rank", &rank)
        field.optional("points", &points)
        field.optional("currentStreak", &currentStreak)
        field.optional("secondsLeft", &secondsLeft)
    }
}
