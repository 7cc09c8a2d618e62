import Chat
import NodeCore
import NodeModel
import SyncState

extension AccountZone {
    /// Counts each conversation's messages in the newest missing segments.
    func missingMessages() throws -> [ExactText: Int] {
        try archive.missingSegments(limit: Limits.gapRows).reduce(into: [:]) { counts, segment in
            counts[ExactText(segment.conversationID), default: 0] += segment.sum.messages
        }
    }
}

extension Conversation {
    /// - Parameter missing: of all conversations.
    init(_ summary: ConversationSummary, missing: [ExactText: Int]) {
        self.init()
        conversationId = summary.conversationID
        title = summary.title
        contact = summary.contact
        messages = summary.messages
        unread = summary.unread
        placeholders = summary.placeholders
        self.missing = missing[ExactText(summary.conversationID)] ?? 0
        lastTxid = summary.lastTxID?.hex
        lastBlockTime = summary.lastBlockTime.map { Int($0) }
        lastSenderTs = summary.lastSenderTimestamp.map { Int($0) }
        lastReadTxid = summary.lastReadTxID?.hex
        lastReadBlockTime = summary.lastReadBlockTime.map { Int($0) }
        lastReadBy = summary.lastReadBy?.hex
        pinned = summary.details?.isPinned?.value == true
        muted = summary.details?.isMuted?.value == true
        archived = summary.details?.isArchived?.value == true
        markedUnread = summary.details?.isMarkedUnread?.value == true
    }
}

extension ConversationInFull {
    init(_ summary: ConversationSummary, missing: [ExactText: Int]) {
        self.init()
        conversation = Conversation(summary, missing: missing)
        let participants = summary.details?.participants?.value.list ?? []
        conversation.participants = participants.map { participant in
            Participant(address: participant.address, name: participant.name.isEmpty ? nil : participant.name)
        }
        let checkpoint = summary.details?.checkpoint?.value.bytes ?? []
        conversation.checkpoint = checkpoint.isEmpty ? nil : Hex.encode(checkpoint)
    }
}
