import NodeCore
import SyncState

/// Reporting messages to the change feed.
extension ChatState {
    /// Notes that a message is shown by another copy, if that copy has another content or conversation.
    func note(_ after: ChatMessage, shownInsteadOf before: ChatMessage) {
        let isMoved = !after.conversationID.utf8.elementsEqual(before.conversationID.utf8)
        guard before.hasContent || isMoved, after.contentBytes != before.contentBytes else { return }
        changes?.note(
            after.hasContent ? .messageResolved : .messageHinted, after.txid, conversation: after.conversationID)
        guard isMoved || after.direction != before.direction else { return }
        for conversation in isMoved ? [before.conversationID, after.conversationID] : [after.conversationID] {
            if isMoved { changes?.note(.conversation, conversation: conversation) }
            changes?.note(.unread, conversation: conversation)
        }
    }

    /// The new messages of a segment, determined before it is indexed. Opens the segment a second time, so it is only
    /// used if few arrive: in a restore only their number is noted.
    ///
    /// - Returns: nil if the segment cannot be read. `isShownAnew` if a message of it will be shown with another
    /// content than now; entries in memory are merged then, and a flush when the segment is indexed tells of it.
    func news(
        of sealed: SealedSegment, arrival: UInt64
    ) throws -> (groups: [ChangeGroup], isShownAnew: Bool)? {
        try synchronise(before: arrival)
        guard let messages = try? codec.messages(of: sealed) else { return nil }
        var groups = ChangeGroups()
        var isShownAnew = false
        for message in messages where !stubs.contains(message.txid) {
            let conversation = message.conversationID
            if let found = try index.find(message.txid, hash: index.hash(message.txid)) {
                guard let held = found.message else { continue }
                if held.hasContent, held.contentBytes != message.contentBytes, message.isPreferred(over: held) {
                    isShownAnew = true
                }
                guard message.hasContent, !held.hasContent else { continue }
                groups.add(ChangeGroup(of: .messageResolved, message.txid, conversation: conversation))
            } else {
                groups.add(ChangeGroup(of: .messageAdded, message.txid, conversation: conversation))
            }
        }
        if isShownAnew { try index.flush() }
        return (groups.all, isShownAnew)
    }
}
