import Node

/// Something that a person may want to be told of at once.
struct Notice: Equatable {
    package enum Kind: String, CaseIterable {
        /// A message that was received and is not read.
        case message
        /// Somebody else has posted a result.
        case score
        /// Somebody else is before one in the standings of the week, and was not.
        case overtaken
        /// The day ends soon, and with it days in a row of a game.
        case streak
    }

    package let kind: Kind
    /// A sentence. Names in it are what others call themselves.
    package let text: String
    package let fields: [String: JSONValue]

    /// - Parameter token: of the change feed, from which a reader goes on.
    package func json(token: String?) -> JSONValue {
        var fields = fields
        fields["kind"] = .string(kind.rawValue)
        fields["text"] = .string(Terminal.harmless(text))
        fields["token"] = .optional(token)
        return .object(fields)
    }
}
