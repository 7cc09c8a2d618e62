package import Chat
import NodeCore
import SyncState

extension ChatMessage {
    /// A test message whose txid is made from a number.
    package static func sample(
        _ number: UInt64, conversation: String = "bob", direction: MessageDirection = .received,
        timestamp: UInt64 = 1_700_000_000, score: UInt64? = nil, blockTime: UInt64? = nil, body: String? = nil
    ) -> ChatMessage {
        ChatMessage(
            txid: TxID(Bytes32(number &* 0x9E37_79B9_7F4A_7C15, 0, 0, number)), conversationID: conversation,
            contact: conversation, direction: direction, senderTimestamp: timestamp, blockTime: blockTime,
            acceptingDaaScore: score,
            status: .implied(hasBlockTime: blockTime != nil, hasScore: score != nil), body: body ?? "text \(number)")
    }
}
