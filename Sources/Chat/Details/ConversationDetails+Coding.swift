package import NodeCore
import SyncState

extension ConversationDetails {
    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 160)
        let flags = [isPinned, isMuted, isArchived, isMarkedUnread]
        let optional = [title == nil, participants == nil, checkpoint == nil] + flags.map { $0 == nil }
        writer.writeMap(2 + optional.count { !$0 })
        writer.write(UInt64(0))
        writer.write(Self.type)
        writer.write(UInt64(1))
        writer.write(text: slotName)
        Self.write(title, key: 2, to: &writer)
        Self.write(participants, key: 3, to: &writer)
        for (key, flag) in zip(4..., flags) { Self.write(flag, key: UInt64(key), to: &writer) }
        Self.write(checkpoint, key: 8, to: &writer)
        return writer.bytes
    }

    private static func write<Value>(_ field: Revised<Value>?, key: UInt64, to writer: inout CBORWriter) {
        guard let field else { return }
        writer.write(key)
        field.write(to: &writer)
    }

    /// Reads what `encoded` gives, and refuses everything else.
    package init(encoded: [UInt8]) throws(CBORError) {
        var reader = CBORReader(encoded)
        let count = try reader.readMap(max: 9)
        guard count >= 2, try reader.readKey(after: nil) == 0, try reader.readUInt() == Self.type,
            try reader.readKey(after: 0) == 1
        else { throw .outOfRange(at: 0) }
        let name = try reader.readText(max: Limits.conversationIDBytes + 5)
        // By bytes: characters that combine with the dot belong to the conversation's id.
        guard name.utf8.starts(with: "conv.".utf8), let id = String(name.utf8.dropFirst(5)), !id.isEmpty else {
            throw .outOfRange(at: reader.position)
        }
        self.init(conversationID: id)
        var key: UInt64 = 1
        for _ in 2..<count {
            key = try reader.readKey(after: key)
            switch key {
            case 2: title = try Revised(from: &reader)
            case 3: participants = try Revised(from: &reader)
            case 4: isPinned = try Revised(from: &reader)
            case 5: isMuted = try Revised(from: &reader)
            case 6: isArchived = try Revised(from: &reader)
            case 7: isMarkedUnread = try Revised(from: &reader)
            case 8: checkpoint = try Revised(from: &reader)
            default: throw .outOfRange(at: reader.position)
            }
        }
        try reader.finish()
    }
}
