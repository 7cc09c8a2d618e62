public import NodeModel

/// A part of a list, the newest first, and from where it goes on.
public struct MessagePage: Hashable, Sendable {
    public let messages: [Message]
    /// For the next page, as `before`; nil behind the last.
    public let next: String?
}

extension MessagePage: Readable {
    init(_ fields: Fields) throws(ClientError) {
        messages = try fields.list("items", of: Message.self)
        next = fields.optionalText("next")
    }
}
