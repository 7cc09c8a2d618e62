import NodeCore
import SyncState

/// Brings back bodies of messages whose deletion was undone when their segment had been rewritten without them: while
/// the old one is kept aside here, this device archives them anew. If several devices do so, the first one's segment
/// serves all.
final class AsideBodies {
    private let context: AccountContext
    /// Blobs from which messages are no longer read, since the last commit.
    private var hidden: [Int64] = []

    init(_ context: AccountContext) { self.context = context }

    func noteHidden(_ arrival: Int64) {
        hidden.append(arrival)
        context.store.mustSettle = true
    }

    func reload() { hidden = [] }

    /// A deletion was undone: looks for the bodies in all that is kept aside.
    func bringBack(_ subject: Deletion.Subject) throws {
        let segments = context.segments
        let arrivals = try context.store.aside.arrivals { record in
            guard let meta = segments.meta(of: record) else { return false }
            return switch subject {
            case .message(let txid): meta.names(txid)
            case .conversation(let id): meta.name.conversationID.utf8.elementsEqual(id.utf8)
            }
        }
        for arrival in arrivals {
            try bringBack(from: arrival) { message in
                if case .message(let txid) = subject { message.txid == txid } else { true }
            }
        }
    }

    /// Segments were replaced that may have bodies whose deletion was undone before.
    func settle(_ isUndone: (Deletion.Subject) throws -> Bool) throws {
        defer { hidden = [] }
        for arrival in hidden where try context.store.aside.record(ofBlob: arrival) != nil {
            try bringBack(from: arrival) { message in
                try isUndone(.message(message.txid)) || isUndone(.conversation(message.conversationID))
            }
        }
    }

    private func bringBack(from arrival: Int64, where isMeant: (ChatMessage) throws -> Bool) throws {
        var messages: [ChatMessage] = []
        _ = try context.segments.withSegment(UInt64(arrival)) { sealed in
            messages = (try? context.chat.codec.messages(of: sealed)) ?? []
        }
        for message in messages where message.hasContent {
            guard try context.chat.heldCopy(of: message.txid)?.hasContent != true, try isMeant(message) else {
                continue
            }
            // What is deleted otherwise stays so.
            _ = try context.chat.accept(message, now: context.changes.now)
        }
    }
}
