package import NodeCore
package import SyncState

/// A batch of facts about messages: an immutable record.
///
///     facts = [ 1*58 [ txid, revision, block time or null, score or null, status ] ]
package struct ChainFacts: Sendable, Hashable {
    /// The name of the slot; the tag is random, so that each batch has a slot of its own.
    static let slotName = "facts"

    package var facts: [ChainFact]

    package init(_ facts: [ChainFact]) { self.facts = facts }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 8 + 64 * facts.count)
        writer.writeArray(facts.count)
        for fact in facts { fact.write(to: &writer) }
        return writer.bytes
    }

    /// Reads what `encoded` gives, and refuses everything else.
    package init(encoded: [UInt8]) throws(CBORError) {
        var reader = CBORReader(encoded)
        let count = try reader.readArray(max: Limits.factsInRecord)
        guard count > 0 else { throw .wrongSize(at: 0) }
        facts = []
        for _ in 0..<count { facts.append(try ChainFact(from: &reader)) }
        try reader.finish()
    }
}

extension ChainFacts: AccountRecord {
    package static var metaType: MetaType { .chainFacts }
    package static var kind: RecordKind { .immutable }
    package init(fields: [UInt8], hasBlob: Bool) throws { try self.init(encoded: fields) }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(Self.slotName.utf8) }
}
