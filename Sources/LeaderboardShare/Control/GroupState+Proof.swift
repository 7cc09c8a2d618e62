package import NodeCore

/// Proofs of membership, for others who do not know it yet.
extension GroupState {
    /// The minimal valid records that prove these memberships, from genesis on. The receiver must know itself what was
    /// taken since. Ascending by hash.
    ///
    /// It has no cycles: givings are in the order in which they became valid, and the first suitable one is chosen,
    /// whose signer had its own giving before.
    ///
    /// - Parameters:
    ///   - hasRoot: includes the record that started the newest epoch, which commits to its root.
    ///   - acts: further valid records to include, with the records they depend on.
    /// - Returns: nil if one of them is not a member.
    package func proof(
        of subjects: [MemberID], hasRoot: Bool = false, and acts: [RecordHash] = []
    ) -> [ControlRecord]? {
        var chosen: Set<Int> = []
        var work: [Int] = []
        work += acts.compactMap { log.numbers[$0] }
        if hasRoot, let root = rootRecord, let number = log.numbers[root.hash] { work.append(number) }
        for subject in subjects {
            guard members[subject] != nil, let number = log.memberNumbers[subject],
                let giving = firstGiving(of: number, atLeast: .viewer)
            else { return nil }
            work.append(giving)
            // It left earlier, and was admitted again.
            if let ended = ended[number] {
                work += admittances(of: number).filter { !ended.contains(log.hash($0)) }.prefix(1)
            }
        }
        while let index = work.popLast() {
            guard chosen.insert(index).inserted else { continue }
            if log.under[index] >= 0 { work.append(log.under[index]) }
            switch log.kinds[index] {
            case .admission:
                guard let giving = firstGiving(of: log.by[index], atLeast: .member) else { return nil }
                work.append(giving)
            case .grant, .invite, .rotate, .revoke, .remove, .close:
                // An act under an ended ownership stays valid by its transfer, or by a later owner's `keep`.
                work += keeps(of: log.under[index])
            default: break
            }
        }
        return chosen.sorted().map { log.records[$0] }
    }

    private func firstGiving(of member: Int, atLeast role: Role) -> Int? {
        givings[member].first { gives($0) >= role }
    }

    /// The records that keep acts under an ownership valid, if it ended and a later one is among the givings.
    private func keeps(of ownership: Int) -> [Int] {
        guard ownership >= 0, let place = ownerships.firstIndex(of: ownership), place + 1 < ownerships.count else {
            return []
        }
        return indices(of: [.keep]).filter { index in
            guard case .keep(let kept, _) = log.records[index].act else { return false }
            return log.numbers[kept] == ownership
        }
    }
}
