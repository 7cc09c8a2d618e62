import Chat
import ChatTestKit
import NodeCore
import SyncState

extension TestZone {
    /// Marks messages as a user does who looks at one; nil for the latest received.
    @discardableResult
    func mark(_ conversation: String = "bob", upTo number: UInt64? = nil, now: MonotonicTime = .zero) throws -> Bool {
        let txid = number.map { ChatMessage.sample($0).txid }
        return try zone.reads.markRead(conversation, upTo: txid, now: now, wall: .day(0))
    }

    func unread(_ conversation: String = "bob") throws -> Int? { try zone.chat.conversation(conversation)?.unread }

    func isRead(_ number: UInt64) throws -> Bool? {
        try zone.chat.message(ChatMessage.sample(number).txid)?.isRead
    }

    /// The number of registers about reading that this device wrote since the last call.
    func writtenMarks() throws -> Int {
        try zone.commit()
        return try written { $0 is ReadMarker || $0 is ConversationDetails }
    }
}
