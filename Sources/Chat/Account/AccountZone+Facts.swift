package import NodeCore
import SyncState

/// What the chain says of messages, as records.
extension AccountZone {
    /// Takes what an app heard of the chain about a message, held or not. The other devices learn it with the commit.
    ///
    /// - Throws: `ChatMessageError`, `ChatError.revisionsExhausted`; nothing is changed then.
    package func learn(_ event: ChainEvent, now: MonotonicTime) throws -> Acceptance {
        try store.begin()
        defer { publishLater() }
        return try chat.learn(event, now: now)
    }

    /// The commit writes the records of facts that were made here.
    func publishLater() {
        if chat.hasUnpublishedFacts { store.mustSettle = true }
    }

    func publishFacts() throws {
        while chat.hasUnpublishedFacts, let facts = try chat.takeUnpublishedFacts() {
            try store.write(
                RecordMeta(type: .chainFacts, tag: random.identifier(), fields: facts.encoded),
                slotName: ChainFacts.slotName, kind: .immutable)
        }
    }
}
