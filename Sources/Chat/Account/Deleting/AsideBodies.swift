import NodeCore
import SyncState

/// Brings back bodies from segments that are kept aside: this device archives them again. If several devices do so, the
/// first one's segment serves all. This applies to messages
/// - whose deletion was undone when their segment had been rewritten without them, unless a removal undid the segment;
/// - that apps gave to this device, whoever archived them, if their segment does not count any more;
/// - whose segment's blob was damaged here after it had replaced another: nobody else may have it.
final class AsideBodies {
    private let context: AccountContext
    /// Blobs from which messages are no longer read, since the last commit.
    private var hidden: [Int64] = []
    /// Segments whose blobs were damaged, since the last commit.
    private var damaged: [Record] = []

    init(_ context: AccountContext) { self.context = context }

    func noteHidden(_ arrival: Int64) {
        hidden.append(arrival)
        context.store.mustSettle = true
    }

    /// Notes that the blob of a segment is gone. If its row stays, the blob is wanted again.
    func noteGone(blobOf record: Record) {
        damaged.append(record)
        context.store.mustSettle = true
    }

    func reload() { (hidden, damaged) = ([], []) }

    /// Notes that rows of a lane no longer count.
    func noteGone(lane: LaneID) throws {
        guard let number = context.store.numbers[lane] else { return }
        for arrival in try context.store.aside.arrivals(lane: number) { noteHidden(arrival) }
    }

    /// Looks for the bodies of an undone deletion in everything that is kept aside.
    func bringBack(_ subject: Deletion.Subject) throws {
        let segments = context.segments
        let arrivals = try context.store.aside.arrivals { record in
            guard let meta = segments.meta(of: record) else { return false }
            return switch subject {
            case .message(let txid): meta.mayHold(txid)
            case .conversation(let id): meta.name.conversationID.utf8.elementsEqual(id.utf8)
            }
        }
        for arrival in arrivals where try counts(arrival) {
            try bringBack(from: arrival) { message in
                if case .message(let txid) = subject { message.txid == txid } else { true }
            }
        }
    }

    /// Handles segments that went and may hold bodies that were undeleted, or that were given to this device.
    func settle(_ isUndone: (Deletion.Subject) throws -> Bool) throws {
        defer { (hidden, damaged) = ([], []) }
        for arrival in hidden where try context.store.aside.record(ofBlob: arrival) != nil {
            let counts = try counts(arrival)
            for message in try messages(in: arrival) {
                // Usually its segment was only extended.
                if try context.chat.index.holdsContent(of: message) { continue }
                if try counts && context.chat.heldCopy(of: message.txid)?.hasContent != true,
                    try isUndone(.message(message.txid)) || isUndone(.conversation(message.conversationID))
                {
                    _ = try context.chat.accept(message, now: context.changes.now)
                }
                try bringBackGiven(message)
            }
        }
        for record in damaged where try context.store.wanted(record) != nil { try bringBack(replacedBy: record) }
    }

    /// Whether the row of a blob would count if no later one had replaced it: what a removed device wrote too late does
    /// not.
    private func counts(_ arrival: Int64) throws -> Bool {
        guard let record = try context.store.aside.record(ofBlob: arrival)?.record else { return false }
        return try context.store.rules.verdict(on: record) == .counts
    }

    private func bringBack(replacedBy record: Record) throws {
        let arrivals = try context.store.aside.arrivals { $0.lane == record.lane && $0.slot == record.slot }
        for arrival in arrivals { try bringBack(from: arrival) { _ in true } }
    }

    private func bringBack(from arrival: Int64, where isMeant: (ChatMessage) throws -> Bool) throws {
        for message in try messages(in: arrival) {
            guard try context.chat.heldCopy(of: message.txid)?.hasContent != true, try isMeant(message) else {
                continue
            }
            // A message that another deletion covers stays deleted.
            _ = try context.chat.accept(message, now: context.changes.now)
        }
    }

    private func bringBackGiven(_ message: ChatMessage) throws {
        let chat = context.chat
        guard let number = try chat.conversations.number(of: message.conversationID.utf8, create: false),
            let given = try chat.queue.given.find(message, conversation: number)
        else { return }
        _ = try chat.accept(given, now: context.changes.now)
    }

    /// The messages of a segment that have content.
    private func messages(in arrival: Int64) throws -> [ChatMessage] {
        var messages: [ChatMessage] = []
        _ = try context.segments.withSegment(UInt64(clamping: arrival)) { sealed in
            messages = (try? context.chat.codec.messages(of: sealed)) ?? []
        }
        return messages.filter(\.hasContent)
    }
}
