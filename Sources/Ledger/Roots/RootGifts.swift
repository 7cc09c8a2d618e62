import NodeCore

/// The roots that a member's device gives back to the devices of a group's owner. Those devices may all have forgotten
/// a root, or never had one that a removed device made; or the devices that have it are gone, and the others cannot
/// know that. Without the root, only its holders could read what was written under it.
struct RootGifts {
    private let state: LedgerState
    private let lane: LaneKey
    /// By standing lane of the owner: the roots that it made or sealed, or that another one sealed to it, and all below
    /// them.
    private let known: [Bytes32: Set<RecordHash>]

    init(_ state: LedgerState, by lane: LaneKey) {
        (self.state, self.lane) = (state, lane)
        let set = state.set
        let owners = state.standing.filter { set.lanes[$0].member == set.owner }
        var known: [Bytes32: Set<RecordHash>] = [:]
        for lane in owners { known[set.lanes[lane].key.lane.storage] = [] }
        for lane in owners {
            let own = set.lanes[lane].key.lane.storage
            for record in set.lanes[lane].records {
                switch set.records[record].act {
                case .rotate: known[own]?.insert(set.records[record].hash)
                case .seal(let seal):
                    let junk = state.unopened[set.records[record].hash] ?? []
                    for knower in [own] + seal.entries.map(\.recipient) where !junk.contains(knower) {
                        known[knower]?.insert(seal.rotate)
                    }
                default: break
                }
            }
        }
        self.known = known.mapValues(state.roots.chains)
    }

    func due(holding ring: RootRing) -> [RecordHash: [Seal.Recipient]] {
        let anywhere = known.values.reduce(into: Set<RecordHash>()) { $0.formUnion($1) }
        // The owner's devices can make such roots without end.
        var left = state.set.bounds.returns - given.count
        var seals: [RecordHash: [Seal.Recipient]] = [:]
        for tip in state.tips(held: ring.held) {
            let isForgotten = !anywhere.contains(tip)
            guard state.mayBeSealed(tip) || isForgotten && state.returns.isVoid(tip) else { continue }
            var due = state.recipients(lacking: tip, by: lane).filter { known[$0.id] != nil }
            if !isForgotten {
                due.removeAll { known[$0.id]?.contains(tip) == true || isGiven(tip, to: $0.id) }
                guard !due.isEmpty, left > 0 else { continue }
                left -= 1
            }
            if !due.isEmpty { seals[tip] = due }
        }
        return seals
    }

    /// The roots that this device sealed to lanes of the owner's.
    private var given: Set<RecordHash> {
        guard let number = state.set.number(of: lane) else { return [] }
        let owners = Set(state.lanes(of: state.owner).map(\.lane.storage))
        return Set(
            state.set.lanes[number].records.compactMap { record in
                guard case .seal(let seal) = state.set.records[record].act else { return nil }
                return seal.entries.contains { owners.contains($0.recipient) } ? seal.rotate : nil
            })
    }

    /// Whether enough members have sealed a root to an owner's lane: some of them may have sealed something else.
    private func isGiven(_ root: RecordHash, to recipient: Bytes32) -> Bool {
        let givers = state.seals(to: recipient).filter { record, seal in
            seal.rotate == root && state.unopened[record]?.contains(recipient) != true
        }.compactMap { state.author(of: $0.record) }
        return Set(givers).count >= Limits.giversOfRoot
    }
}
