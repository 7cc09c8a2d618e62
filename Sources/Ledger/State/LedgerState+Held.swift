package import NodeCore

/// The part of a ledger that is stored and exchanged: records beyond a member's bounds take no room.
extension LedgerState {
    /// The records that are kept, ascending. The same state follows from these alone. A refused record may be kept
    /// later, when the others have changed.
    package var held: [RecordHash] {
        var held: Set<Int> = [0]
        for record in membership.isBounded.indices
        where membership.isBounded[record] && trust.keeps(record) {
            held.insert(record)
        }
        // What shows that a member belongs, even in a lane without a place.
        held.formUnion(membership.shown)
        var ends = roots.counting.keys.filter { $0.storage != set.zone.storage } + words.lastHeads
        ends += words.vouchers.map { set.records[$0].hash }
        held.formUnion(set.behind(ends))
        // The way to a head stays; otherwise a Word would keep less once somebody has dropped it.
        for (member, said) in words.words {
            held.formUnion(set.behind(said.heads.lazy.flatMap(\.heads), of: member))
        }
        for lane in membership.places { held.formUnion(trust.removals[lane]?.kept ?? []) }
        held.formUnion(returns.records)
        holdWaysBack(in: &held)
        holdRemoves(in: &held)
        return held.map { set.records[$0].hash }.sorted()
    }

    /// Each lane here keeps the Enters of its way back, the one that says which lane it succeeded, and the one that
    /// shows that it was succeeded: otherwise a lane that is here only for a Rotate or a head would be judged anew.
    private func holdWaysBack(in held: inout Set<Int>) {
        var seen = membership.places.union(held.compactMap { set.links[$0].lane })
        var work = Array(seen)
        while let lane = work.popLast() {
            var next: [Int] = []
            if let reason = trust.reason(lane) {
                held.insert(reason.record)
                if let before = set.lanes[lane].enters.first(where: { $0.succeeds != nil }) {
                    held.insert(before.record)
                }
                if case .lane(let up) = reason.by { next.append(up) }
            }
            let after = set.lanes[lane].successors.filter { trust.roots[$0] != nil }.flatMap { successor in
                set.lanes[successor].enters.filter { $0.succeeds == lane }.map { (record: $0.record, lane: successor) }
            }
            if let first = after.min(by: { set.records[$0.record].hash < set.records[$1.record].hash }) {
                held.insert(first.record)
                next.append(first.lane)
            }
            for lane in next where seen.insert(lane).inserted { work.append(lane) }
        }
    }

    /// The Removes of members who have a role, were dismissed, or have other records here: a Close names lanes of
    /// members who removed themselves later, and without the Remove their tickets would count again.
    private func holdRemoves(in held: inout Set<Int>) {
        let present = Set(held.compactMap { set.links[$0].lane.map { set.lanes[$0].member } })
        for remove in trust.removes {
            guard let member = set.links[remove].subject else { continue }
            if set.isAccount || membership.roles[member] != .none || words.dismissed.contains(member)
                || present.contains(member)
            {
                held.insert(remove)
            }
        }
    }
}
