import NodeCore

/// A message where it lies in a payload: numbers read, everything else as a place.
struct ScannedMessage {
    /// Where its 32 bytes stand.
    var txidStart = 0
    /// The contact's place in the payload's list.
    var contact = 0
    var isReceived = false
    var status = MessageStatus.pending
    var senderTimestamp: UInt64 = 0
    var blockTime: UInt64?
    var score: UInt64?
    var senderOrder: UInt16 = 0
    var body = 0..<0
    /// From the head of the list of attachments to its end; empty if there is none.
    var attachments = 0..<0

    var hasContent: Bool { !body.isEmpty || !attachments.isEmpty }

    var order: MessageOrder {
        MessageOrder(
            score: score, blockTime: blockTime, senderTimestamp: senderTimestamp,
            senderOrder: isReceived ? 0 : senderOrder)
    }

    var time: UInt64 { MessageOrder.time(blockTime: blockTime, senderTimestamp: senderTimestamp) }
}
