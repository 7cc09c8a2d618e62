public import NodeModel

/// A page of messages, newest first.
public struct MessagePage: Hashable, Sendable {
    public let messages: [Message]
    /// Pass it as `before` to get the next page; nil on the last page.
    public let next: String?
}
