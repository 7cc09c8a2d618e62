import NodeCore

/// What the list of conversations shows of the newest message of one.
struct NewestMessage {
    /// Its place in the listing: another one, or another copy, has another.
    let key: MessageKey
    let txid: TxID
    let contact: String
    let blockTime: UInt64?
    let senderTimestamp: UInt64
}
