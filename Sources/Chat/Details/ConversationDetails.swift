package import NodeCore
package import SyncState

/// What the user or the app says of a conversation: the value of a register, one a device, and the join of them all.
///
/// Each field is corrected by itself, so that devices that change different fields offline both win.
///
///     details = { 0: 3, 1: "conv." ‖ conversation (text), ? 2: title, ? 3: participants, ? 4: pinned, ? 5: muted,
///                 ? 6: archived, ? 7: marked unread, ? 8: checkpoint }, each [revision, at, value]
package struct ConversationDetails: Hashable, Sendable {
    /// The type of the record's meta.
    package static let type: UInt64 = 3

    package let conversationID: String
    package var title: Revised<ConversationTitle>?
    package var participants: Revised<ConversationParticipants>?
    package var isPinned: Revised<Bool>?
    package var isMuted: Revised<Bool>?
    package var isArchived: Revised<Bool>?
    /// The user wants it to look unread, whatever was read; the next read mark ends that.
    package var isMarkedUnread: Revised<Bool>?
    package var checkpoint: Revised<ChainCheckpoint>?

    package init(conversationID: String) { self.conversationID = conversationID }

    /// The name of the register: `conv.<conversation>`.
    package var slotName: String { "conv.\(conversationID)" }

    /// The join, field by field: commutative, associative, idempotent. Both are of one conversation.
    package func merged(with other: ConversationDetails) -> ConversationDetails {
        var merged = self
        merged.title = .merged(title, other.title)
        merged.participants = .merged(participants, other.participants)
        merged.isPinned = .merged(isPinned, other.isPinned)
        merged.isMuted = .merged(isMuted, other.isMuted)
        merged.isArchived = .merged(isArchived, other.isArchived)
        merged.isMarkedUnread = .merged(isMarkedUnread, other.isMarkedUnread)
        merged.checkpoint = .merged(checkpoint, other.checkpoint)
        return merged
    }

    /// Makes a correction; of what is so already, nothing.
    package mutating func apply(_ change: ConversationChange, at wall: WallTime) throws(RevisionError) {
        switch change {
        case .title(let value): title = try .correcting(title, to: value, at: wall)
        case .participants(let value): participants = try .correcting(participants, to: value, at: wall)
        case .pinned(let value): isPinned = try Self.correcting(isPinned, value, wall)
        case .muted(let value): isMuted = try Self.correcting(isMuted, value, wall)
        case .archived(let value): isArchived = try Self.correcting(isArchived, value, wall)
        case .markedUnread(let value): isMarkedUnread = try Self.correcting(isMarkedUnread, value, wall)
        case .checkpoint(let value): checkpoint = try .correcting(checkpoint, to: value, at: wall)
        }
    }

    /// A flag that nobody ever set is off: to switch it off says nothing.
    private static func correcting(
        _ held: Revised<Bool>?, _ value: Bool, _ wall: WallTime
    ) throws(RevisionError) -> Revised<Bool>? {
        held == nil && !value ? nil : try .correcting(held, to: value, at: wall)
    }
}

/// One correction of what is said of a conversation.
package enum ConversationChange: Hashable, Sendable {
    case title(ConversationTitle)
    case participants(ConversationParticipants)
    case pinned(Bool)
    case muted(Bool)
    case archived(Bool)
    case markedUnread(Bool)
    case checkpoint(ChainCheckpoint)
}

extension ConversationDetails: Joinable {}

extension ConversationDetails: AccountRecord {
    package static var metaType: MetaType { .conversation }
    package static var kind: RecordKind { .register }
    package init(fields: [UInt8], hasBlob: Bool) throws { try self.init(encoded: fields) }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(slotName.utf8) }
}
