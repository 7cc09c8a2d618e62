import NodeCore

/// Writes payloads in the grammar of `PayloadScanner`.
enum PayloadWriter {
    /// The payload of messages of one conversation, in the order given.
    static func payload(of messages: [ChatMessage]) -> [UInt8] {
        var contacts: [String] = []
        // Keyed by bytes: strings that only look the same compare equal, but are different contacts.
        var places: [[UInt8]: Int] = [:]
        for message in messages where places[Array(message.contact.utf8)] == nil {
            places[Array(message.contact.utf8)] = contacts.count
            contacts.append(message.contact)
        }
        var writer = CBORWriter(capacity: 256 * messages.count)
        writer.writeArray(3)
        writer.write(version(of: messages))
        writer.writeArray(contacts.count)
        for contact in contacts { writer.write(text: contact) }
        writer.writeArray(messages.count)
        for message in messages {
            write(message, contact: places[Array(message.contact.utf8)] ?? 0, to: &writer)
        }
        return writer.bytes
    }

    /// The lowest version that can represent all of them, so that older programs can read it if possible.
    static func version(of messages: [ChatMessage]) -> UInt64 {
        messages.contains { $0.keptSenderOrder > 0 } ? 2 : 1
    }

    /// Upper bound of a message's size in a payload.
    static func sizeBound(of message: ChatMessage) -> Int {
        var size = 96 + message.contact.utf8.count + message.body.utf8.count
        for attachment in message.attachments {
            size += 64 + (attachment.link?.utf8.count ?? 0) + attachment.mimeType.utf8.count
            size += attachment.inline?.count ?? 0
        }
        return size
    }

    private static func write(_ message: ChatMessage, contact: Int, to writer: inout CBORWriter) {
        let optional =
            (message.blockTime == nil ? 0 : 1) + (message.acceptingDaaScore == nil ? 0 : 1)
            + (message.body.isEmpty ? 0 : 1) + (message.attachments.isEmpty ? 0 : 1)
            + (message.keptSenderOrder == 0 ? 0 : 1)
        writer.writeMap(4 + optional)
        writer.write(UInt64(0))
        writer.write(message.txid)
        writer.write(UInt64(1))
        writer.write(UInt64(contact))
        writer.write(UInt64(2))
        writer.write(UInt64(message.direction.rawValue | message.status.rawValue << 1))
        writer.write(UInt64(3))
        writer.write(message.senderTimestamp)
        if let blockTime = message.blockTime {
            writer.write(UInt64(4))
            writer.write(blockTime)
        }
        if let score = message.acceptingDaaScore {
            writer.write(UInt64(5))
            writer.write(score)
        }
        if !message.body.isEmpty {
            writer.write(UInt64(6))
            writer.write(text: message.body)
        }
        if !message.attachments.isEmpty {
            writer.write(UInt64(7))
            ChatAttachment.write(message.attachments, to: &writer)
        }
        if message.keptSenderOrder > 0 {
            writer.write(UInt64(8))
            writer.write(UInt64(message.keptSenderOrder))
        }
    }
}
