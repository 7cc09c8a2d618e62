/// Something that a person may want to be told of at once.
package struct Notice: Model {
    package enum Kind: String, Word {
        /// A message that was received and is not read.
        case message
        /// Somebody else has posted a result.
        case score
        /// Somebody else is before one in the standings of the week, and was not.
        case overtaken
        /// The day ends soon, and with it days in a row of a game.
        case streak
    }

    package var kind = Kind.message
    /// A sentence. Names in it are what others call themselves.
    package var text = ""
    /// Of the change feed, from which a reader goes on.
    package var token: String?
    // Of messages.
    package var conversationId: String?
    package var title: String?
    package var contact: String?
    /// How many came, and how many of the conversation are not read.
    package var count: Int?
    package var unread: Int?
    /// Those that are known by name.
    package var txids: [String]?
    // In a group.
    package var groupId: String?
    package var group: String?
    /// The other one, and what that one posted.
    package var memberId: String?
    package var name: String?
    package var gameId: String?
    package var gameName: String?
    package var dateInt: Int?
    package var score: Int?
    package var completed: Bool?
    /// One's own in the week's standings.
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
