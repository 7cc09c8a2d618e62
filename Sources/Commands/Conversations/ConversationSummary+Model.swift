import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// The part of each conversation that is missing here, as far as the newest missing segments tell.
struct ConversationGaps {
    private var segments: [ExactText: [MissingSegment]] = [:]
    private var devices: [DeviceReport] = []

    init(_ account: NodeAccount, of node: LocalNode) throws {
        for segment in try account.zone.archive.missingSegments(limit: Limits.gapRows) where segment.sum.messages > 0 {
            segments[ExactText(segment.conversationID), default: []].append(segment)
        }
        guard !segments.isEmpty else { return }
        devices = try account.devices(node.network?.served(account), clock: node.clock)
    }

    /// Nil if nothing of the conversation is missing.
    subscript(conversation: String) -> MissingMessages? {
        segments[ExactText(conversation)].flatMap { MissingMessages($0, among: devices) }
    }

    /// The time of each conversation's newest missing message, in milliseconds since 1970.
    var newest: [ExactText: UInt64] { segments.mapValues { ($0.map(\.times.upperBound).max() ?? 0) * 1_000 } }
}

extension Conversation {
    init(_ summary: ConversationSummary, _ gaps: ConversationGaps) {
        self.init()
        conversationId = summary.conversationID
        title = summary.title
        contact = summary.contact
        messages = summary.messages
        unread = summary.unread
        placeholders = summary.placeholders
        lastTxid = summary.lastTxID?.hex
        lastBlockTime = summary.lastBlockTime.map { Int($0) }
        lastSenderTs = summary.lastSenderTimestamp.map { Int($0) }
        lastReadTxid = summary.lastReadTxID?.hex
        lastReadBlockTime = summary.lastReadBlockTime.map { Int($0) }
        lastReadBy = summary.lastReadBy?.hex
        note(summary.details)
        note(gaps)
    }

    /// A conversation of which nothing is here.
    init(absent details: ConversationDetails, _ gaps: ConversationGaps) {
        self.init()
        conversationId = details.conversationID
        title = details.title.flatMap { $0.value.text.isEmpty ? nil : $0.value.text }
        note(details)
        note(gaps)
    }

    private mutating func note(_ details: ConversationDetails?) {
        if contact.isEmpty { contact = details?.participants?.value.list.first?.address ?? "" }
        pinned = details?.isPinned?.value == true
        muted = details?.isMuted?.value == true
        archived = details?.isArchived?.value == true
        markedUnread = details?.isMarkedUnread?.value == true
    }

    private mutating func note(_ gaps: ConversationGaps) {
        guard let missing = gaps[conversationId] else { return }
        self.missing = missing.sum.messages
        gap = Gap(missing)
    }
}

extension ConversationInFull {
    init(_ summary: ConversationSummary, _ gaps: ConversationGaps) {
        self.init()
        conversation = Conversation(summary, gaps)
        note(summary.details)
    }

    /// A conversation of which nothing is here.
    init(absent details: ConversationDetails, _ gaps: ConversationGaps) {
        self.init()
        conversation = Conversation(absent: details, gaps)
        note(details)
    }

    private mutating func note(_ details: ConversationDetails?) {
        let participants = details?.participants?.value.list ?? []
        conversation.participants = participants.map { participant in
            Participant(address: participant.address, name: participant.name.isEmpty ? nil : participant.name)
        }
        let checkpoint = details?.checkpoint?.value.bytes ?? []
        conversation.checkpoint = checkpoint.isEmpty ? nil : Hex.encode(checkpoint)
    }
}
