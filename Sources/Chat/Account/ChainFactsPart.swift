import NodeCore
import SyncState

/// What the chain says of messages, as records.
final class ChainFactsPart: AccountPart {
    private let context: AccountContext

    init(_ context: AccountContext) { self.context = context }

    /// The commit writes the records of facts that were made here.
    func publishLater() {
        if context.chat.hasUnpublishedFacts { context.store.mustSettle = true }
    }

    func held(_ content: ChainFacts, in lane: LaneID) throws { _ = try context.chat.merge(content) }

    func settle() throws {
        while context.chat.hasUnpublishedFacts, let facts = try context.chat.takeUnpublishedFacts() {
            try context.write(facts, tag: context.random.identifier())
        }
    }
}
