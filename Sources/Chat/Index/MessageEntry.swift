import NodeCore
import SyncState

/// The index's data about a message: 48 bytes in memory until it is merged into the trees.
struct MessageEntry {
    static let receivedFlag: UInt64 = 1
    static let contentFlag: UInt64 = 2
    /// Its position in the chain comes from an overlay, not from the copy.
    static let overlaidFlag: UInt64 = 4

    /// 46 bits of the txid's SipHash, keyed for this database.
    var hash: UInt64
    var key: MessageKey
    /// Milliseconds in the upper 56 bits, flags in the lower 8.
    var timeAndFlags: UInt64

    var location: MessageLocation { key.location }
    var time: UInt64 { timeAndFlags >> 8 }
    var isReceived: Bool { timeAndFlags & Self.receivedFlag != 0 }

    static func timeAndFlags(time: UInt64, isReceived: Bool, hasContent: Bool) -> UInt64 {
        time << 8 | (isReceived ? receivedFlag : 0) | (hasContent ? contentFlag : 0)
    }

    init(hash: UInt64, key: MessageKey, timeAndFlags: UInt64) {
        (self.hash, self.key, self.timeAndFlags) = (hash, key, timeAndFlags)
    }

    init(_ message: ChatMessage, hash: UInt64, location: MessageLocation, conversation: UInt32) {
        let time = MessageOrder.time(blockTime: message.blockTime, senderTimestamp: message.senderTimestamp)
        self.init(
            hash: hash,
            key: MessageKey(
                conversation: conversation, order: message.order, prefix: message.txid.storage.w0,
                location: location),
            timeAndFlags: Self.timeAndFlags(
                time: time, isReceived: message.direction == .received, hasContent: message.hasContent))
    }
}
