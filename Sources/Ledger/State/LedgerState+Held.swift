package import NodeCore

/// The part of a ledger that is stored and exchanged: records beyond a member's bounds take no room.
extension LedgerState {
    /// The records that are kept, ascending. The same state follows from these alone. A refused record may be kept
    /// later, when the others have changed.
    package var held: [RecordHash] {
        var held: Set<Int> = [0]
        for remove in trust.removes where set.links[remove].subject.map(isKnown) ?? false { held.insert(remove) }
        for record in membership.isBounded.indices
        where membership.isBounded[record] && trust.keeps(record) {
            held.insert(record)
        }
        holdWaysBack(in: &held)
        // The way to a head stays; otherwise a Word would keep less once somebody has dropped it.
        var ends = roots.counting.keys.filter { $0.storage != set.zone.storage } + words.lastHeads
        for said in words.words.values { ends += said.heads.lazy.flatMap(\.heads) }
        held.formUnion(set.behind(ends))
        for lane in membership.places { held.formUnion(trust.removals[lane]?.kept ?? []) }
        held.formUnion(returns.records)
        holdSuccessions(in: &held)
        return held.map { set.records[$0].hash }.sorted()
    }

    /// A lane with a place keeps the Enters of its way back, even if the lanes on it have no place, and the records
    /// that show that one of these succeeded another.
    private func holdWaysBack(in held: inout Set<Int>) {
        var seen = membership.places
        var work = Array(seen)
        while let lane = work.popLast() {
            guard let reason = trust.reason(lane) else { continue }
            held.insert(reason.record)
            if let before = set.lanes[lane].enters.first(where: { $0.succeeds != nil }) { held.insert(before.record) }
            if case .lane(let up) = reason.by, seen.insert(up).inserted { work.append(up) }
        }
    }

    /// The record that shows that a lane was succeeded stays with the lane.
    private func holdSuccessions(in held: inout Set<Int>) {
        var seen = Set(held.compactMap { set.links[$0].lane })
        var work = Array(seen)
        while let lane = work.popLast() {
            let after = set.lanes[lane].successors.filter { trust.roots[$0] != nil }.flatMap { successor in
                set.lanes[successor].enters.filter { $0.succeeds == lane }.map { (record: $0.record, lane: successor) }
            }
            guard let first = after.min(by: { set.records[$0.record].hash < set.records[$1.record].hash }),
                held.insert(first.record).inserted
            else { continue }
            if seen.insert(first.lane).inserted { work.append(first.lane) }
        }
    }

    /// True for a member with other kept records than removals.
    private func isKnown(_ member: Int) -> Bool {
        set.isAccount || membership.roles[member] != .none || words.dismissed.contains(member)
    }
}
