/// A message in a listing.
package struct ListedMessage: Sendable, Equatable {
    package var message: ChatMessage
    /// A sent message is always read.
    package var isRead: Bool
    /// True if it waits for its segment to be cut.
    package var isQueued: Bool
    package var cursor: MessageCursor

    init(_ message: ChatMessage, isQueued: Bool, position: ReadPosition) {
        self.message = message
        self.isQueued = isQueued
        isRead = message.direction == .sent || position.covers(message)
        cursor = MessageCursor(order: message.order, txid: message.txid)
    }
}
