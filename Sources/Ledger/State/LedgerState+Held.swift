package import NodeCore

/// What of a ledger is stored and exchanged: nothing that a member writes beyond its bounds takes room.
extension LedgerState {
    /// The records that are kept, ascending. Of these alone the same state follows. What is refused may be kept later,
    /// when the others have changed.
    package var held: [RecordHash] {
        var held: Set<Int> = [0]
        for remove in trust.removes where set.links[remove].subject.map(isKnown) ?? false { held.insert(remove) }
        for record in membership.isBounded.indices where membership.isBounded[record] && trust.keeps(record) {
            if words.isLive(record) { held.insert(record) }
        }
        holdWays(in: &held)
        var ends = roots.counting.keys.filter { $0.storage != set.zone.storage }
        for said in words.words.values { ends += said.heads.keys }
        // The way to a head stays, else a Word keeps less once somebody has dropped it.
        held.formUnion(set.behind(ends + words.lastHeads))
        return held.map { set.records[$0].hash }.sorted()
    }

    /// Who has a place keeps the Enters of its way back, though the lanes on it have no place; and what shows that one of
    /// these succeeded another.
    private func holdWays(in held: inout Set<Int>) {
        var seen = membership.places
        var work = Array(seen)
        while let lane = work.popLast() {
            if let reason = trust.reason(lane) {
                held.insert(reason.record)
                if case .lane(let up) = reason.by, seen.insert(up).inserted { work.append(up) }
            }
            if let before = set.lanes[lane].enters.first(where: { $0.succeeds != nil }) { held.insert(before.record) }
            let after = set.lanes[lane].successors.filter { trust.roots[$0] != nil }.flatMap { successor in
                set.lanes[successor].enters.filter { $0.succeeds == lane }.map(\.record)
            }
            if let first = after.min(by: { set.records[$0].hash < set.records[$1].hash }) { held.insert(first) }
        }
    }

    /// True for a member of whom something else than a removal is kept.
    private func isKnown(_ member: Int) -> Bool {
        set.isAccount || membership.roles[member] != .none || words.dismissed.contains(member)
    }
}
