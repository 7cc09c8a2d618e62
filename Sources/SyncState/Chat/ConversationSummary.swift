package import NodeCore

/// A line of the list of conversations.
package struct ConversationSummary: Sendable, Equatable {
    package var conversationID: String
    /// Title, participants and flags; nil where nothing was said.
    package var details: ConversationDetails?
    /// The contact of the newest message.
    package var contact: String
    package var messages: Int
    package var unread: Int
    package var lastTxID: TxID?
    /// Milliseconds since 1970; nil if the newest message is in no block.
    package var lastBlockTime: UInt64?
    /// The sender's clock in the newest message, seconds since 1970; nil if there is none.
    package var lastSenderTimestamp: UInt64?
    package var lastReadTxID: TxID?
    package var lastReadBlockTime: UInt64?
    /// The device on which was read furthest.
    package var lastReadBy: LaneID?

    /// Nil where the user gave none.
    package var title: String? { details?.title.flatMap { $0.value.text.isEmpty ? nil : $0.value.text } }
}
