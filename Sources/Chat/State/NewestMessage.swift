import NodeCore

/// What the list of conversations shows of the newest message of one.
struct NewestMessage: Equatable {
    let txid: TxID
    let contact: String
    let blockTime: UInt64?
    let senderTimestamp: UInt64

    /// By which conversations are listed, in milliseconds.
    var time: UInt64 { MessageOrder.time(blockTime: blockTime, senderTimestamp: senderTimestamp) }
}

extension NewestMessage {
    var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 64 + contact.utf8.count)
        writer.writeArray(blockTime == nil ? 3 : 4)
        writer.write(txid)
        writer.write(text: contact)
        writer.write(senderTimestamp)
        if let blockTime { writer.write(blockTime) }
        return writer.bytes
    }

    init(encoded: [UInt8]) throws(CBORError) {
        var reader = CBORReader(encoded)
        let count = try reader.readArray(max: 4)
        guard count >= 3 else { throw .outOfRange(at: 0) }
        txid = try reader.read(TxID.self)
        contact = try reader.readText(max: Limits.contactBytes)
        senderTimestamp = try reader.readUInt()
        blockTime = count > 3 ? try reader.readUInt() : nil
        try reader.finish()
    }
}
