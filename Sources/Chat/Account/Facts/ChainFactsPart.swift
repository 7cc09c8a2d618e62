import NodeCore
import SyncState

/// Facts from the chain about messages, as records.
final class ChainFactsPart: AccountPart {
    private let context: AccountContext
    /// Messages for which a fact stopped counting.
    private var suspects: Set<TxID> = []
    /// Records of facts that are known here may be lost.
    private var hasLost = false

    init(_ context: AccountContext) { self.context = context }

    /// Lets the commit write the records of facts made here.
    func publishLater() {
        if context.chat.hasUnpublishedFacts { context.store.mustSettle = true }
    }

    func held(_ content: ChainFacts, in lane: LaneID) throws {
        _ = try context.chat.merge(content)
        publishLater()
        context.settleIfNamed()
    }

    func lost(_ content: ChainFacts, in lane: LaneID) throws {
        suspects.formUnion(content.facts.map(\.txid))
        context.store.mustSettle = true
    }

    func isTaken(_ content: ChainFacts, in lane: LaneID) throws -> Bool {
        let index = context.chat.index
        return try content.facts.allSatisfy { try index.overlays.hasMerged($0, hash: index.hash($0.txid)) }
    }

    func rowsLost(in lane: LaneID) throws { hasLost = true }

    func settle() throws {
        try publish()
        if hasLost { try writeLostAgain() }
        guard !suspects.isEmpty else { return }
        let known = try recorded { suspects.contains($0.txid) }
        try context.chat.follow(known, about: suspects)
        suspects = []
        try publish()
    }

    func reload() throws { (suspects, hasLost) = ([], false) }

    /// Writes facts that are known here and in no record, so that the others learn them; the device that first told
    /// them may be gone.
    private func writeLostAgain() throws {
        hasLost = false
        try context.chat.publishFacts(except: Set(recorded { !suspects.contains($0.txid) }), about: suspects)
        try publish()
    }

    /// The facts in the records that are held.
    private func recorded(where isWanted: (ChainFact) -> Bool) throws -> [ChainFact] {
        var found: [ChainFact] = []
        try context.store.forEachRecord { record in
            guard record.kind == .immutable, record.blob == nil, let content: ChainFacts = context.read(record) else {
                return
            }
            found += content.facts.filter(isWanted)
        }
        return found
    }

    private func publish() throws {
        while context.chat.hasUnpublishedFacts, let facts = try context.chat.takeUnpublishedFacts() {
            try context.write(facts, tag: context.random.identifier())
        }
    }
}
