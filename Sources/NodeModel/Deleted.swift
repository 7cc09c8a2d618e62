/// A message or conversation that was deleted, and can be brought back with its bodies until `purgeAt`.
public struct Deleted: Model, Hashable, Sendable {
    /// Nil for a conversation.
    public var txid: String?
    /// Nil for a message whose conversation is not known.
    public var conversationId: String?
    /// In milliseconds since 1970, by the clock of the device on which the user deleted it.
    public var deletedAt = 0
    /// When the bodies leave the archive, if this node runs all the time until then. In milliseconds since 1970.
    public var purgeAt = 0
    /// This and the rest: for a message that is here, as in `Message`.
    public var contact: String?
    public var direction: Direction?
    public var senderTs: Int?
    public var body: String?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field.optional("txid", &txid, .txid)
        field.optional("conversationId", &conversationId)
        field("deletedAt", &deletedAt, .time)
        field("purgeAt", &purgeAt, .time)
        field.optional("contact", &contact)
        field.optional("direction", &direction)
        field.optional("senderTs", &senderTs, .senderTime)
        field.optional("body", &body)
    }
}
