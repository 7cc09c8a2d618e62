package import NodeCore
import SyncState

/// A line of the list of conversations.
package struct ConversationSummary: Sendable, Equatable {
    package var conversationID: String
    /// Title, participants and flags; nil where nothing was said.
    package var details: ConversationDetails?
    /// The contact of the newest message.
    package var contact: String
    package var messages: Int
    package var unread: Int
    /// Stubs: messages that are known to exist, and are not in `messages`.
    package var placeholders: Int
    package var lastTxID: TxID?
    /// Milliseconds since 1970; nil if the newest message is in no block.
    package var lastBlockTime: UInt64?
    /// The sender's clock in the newest message, seconds since 1970; nil if there is none.
    package var lastSenderTimestamp: UInt64?
    package var lastReadTxID: TxID?
    package var lastReadBlockTime: UInt64?
    /// The device on which was read furthest.
    package var lastReadBy: LaneID?

    /// Of its newest message: milliseconds since 1970; 0 where there is none.
    var time: UInt64 { MessageOrder.time(blockTime: lastBlockTime, senderTimestamp: lastSenderTimestamp ?? 0) }

    /// Nil where the user gave none.
    package var title: String? { details?.title.flatMap { $0.value.text.isEmpty ? nil : $0.value.text } }
}
