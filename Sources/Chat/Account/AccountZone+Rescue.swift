import NodeCore
import SyncState

/// Segments that were cut anew by a device that went before anybody had the new blob.
extension AccountZone {
    /// Queues the messages of such segments that are kept aside, so that this device archives them: nobody else brings
    /// them to a device that comes later. Of several devices that do so the first one's segment serves all.
    func rescueAside() throws {
        for (arrival, record) in try store.asideOfRetired(limit: Limits.rescuedAtOnce) {
            if let meta = segments.meta(of: record), let blob = try store.blob(arrival: arrival) {
                try blob.withUnsafeBytes {
                    try chat.requeue(segments.sealed(record, meta, $0), UInt64(arrival), now: changes.now)
                }
            }
            try store.removeAside(arrival: arrival)
        }
    }
}

extension ChatState {
    /// Queues the messages of a segment that is about to go, where no other copy of them is shown.
    func requeue(_ sealed: SealedSegment, _ arrivalID: UInt64, now: MonotonicTime) throws {
        try synchronise()
        for message in (try? codec.messages(of: sealed)) ?? [] where try !isDeletedForGood(message) {
            let hash = index.hash(message.txid)
            guard message.hasContent, let found = try index.find(message.txid, hash: hash),
                !found.holder.location.isQueued, found.holder.location.id == arrivalID,
                let number = try conversations.number(of: message.conversationID.utf8, create: true)
            else { continue }
            try enqueue(message, hash: hash, conversation: number, now: now, givenAt: now, isMove: true)
        }
    }
}
