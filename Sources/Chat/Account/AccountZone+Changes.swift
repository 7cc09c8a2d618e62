import SyncState

/// What the change feed is told of what other devices send.
extension AccountZone {
    /// The read position of a conversation moved.
    func noteRead(_ conversation: String) {
        changes.note(.readState(conversation))
        changes.note(.unread(conversation))
    }

    /// Which messages of an arriving segment are new; nil in a restore, where they are told by their number.
    func news(of sealed: SealedSegment, arrival: UInt64) throws -> [ChangeGroup]? {
        guard store.wantedCount < Limits.wantedWhileLive else { return nil }
        return try chat.news(of: sealed, arrival: arrival)
    }

    /// A segment was taken in.
    func note(_ outcome: SegmentOutcome, _ news: [ChangeGroup]?, conversation: String) {
        guard case .indexed(let count) = outcome else { return }
        guard let news else { return changes.note(.messages(conversation: conversation, count: count)) }
        // The last one that was wanted: what is alone in it is a message of just now, and gets an event of its own.
        if store.wantedCount == 0 {
            for group in news { changes.note(group) }
        } else {
            changes.gather { for group in news { changes.note(group) } }
        }
    }
}
