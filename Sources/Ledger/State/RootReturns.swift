import NodeCore

/// Roots that members of a group give back: a device of the owner's made one and sealed it to them, they wrote under
/// it, and it was removed before the owner's other devices had it. Its Rotate no longer counts, until one that counts
/// goes on from it; without it, what was written under it would be lost to the owner and to all who come later.
struct RootReturns: Sendable {
    /// The Rotates of such roots and of all below them, as far as they do not count and everything that they cover is
    /// held. Before that, the owner could go on from one, and let in whom it had shut out.
    private(set) var rotates: Set<RecordHash> = []
    /// Their records and all behind these, by number: stored although they do not count. Of one lane they are no more
    /// than it could write while it stood.
    private(set) var records: Set<Int> = []

    init(_ membership: Membership, _ words: OwnerWords, _ roots: RootTips) {
        let (set, trust) = (words.trust.set, words.trust)
        guard !set.isAccount, roots.counting.count < roots.sound.count else { return }
        func isVoid(_ rotate: RecordHash) -> Bool { roots.isVoid(rotate, trust) }

        var given: Set<RecordHash> = []
        for lane in membership.places where set.lanes[lane].member != set.owner {
            var mine: Set<RecordHash> = []
            for record in set.lanes[lane].records where mine.count < set.bounds.returns {
                guard case .seal(let seal) = set.records[record].act, isVoid(seal.rotate),
                    membership.isBounded[record], words.isLive(record),
                    membership.hasRight(record, needs: .viewer, keptFor: false)
                else { continue }
                mine.insert(seal.rotate)
            }
            given.formUnion(mine)
        }
        guard !given.isEmpty else { return }
        let void = roots.chains(from: given).filter(isVoid)
        for (_, behind) in Dictionary(grouping: set.behind(void), by: { set.links[$0].lane }) {
            let first = behind.sorted {
                (set.links[$0].depth, set.records[$0].hash) < (set.links[$1].depth, set.records[$1].hash)
            }
            records.formUnion(first.prefix(set.bounds.ownerRecords))
        }
        rotates = void.filter { rotate in
            roots.chains(from: [rotate]).allSatisfy { below in
                roots.counting[below] != nil
                    || set.number(of: below).map(records.contains) ?? false
                        && roots.sound[below]?.covers.allSatisfy(set.contains) ?? false
            }
        }
    }
}

extension RootTips {
    /// True for a root that one of the owner's devices made which was removed, and that none which counts goes on from.
    func isVoid(_ rotate: RecordHash, _ trust: LaneTrust) -> Bool {
        guard sound[rotate] != nil, counting[rotate] == nil, let record = trust.set.number(of: rotate),
            let lane = trust.set.links[record].lane
        else { return false }
        return trust.removals[lane] != nil
    }
}
