import NodeCore

extension GroupState {
    /// Ownership is a chain of transfers from genesis. It depends on transfers only, so that nothing else disturbs it.
    mutating func findOwners(from genesis: Int) {
        ownerships = [genesis]
        var last = genesis
        while true {
            let rivals = log.children[last].filter { log.kinds[$0] == .transfer && log.by[$0] == log.holder(last) }
            // Children are ascending by hash: of two transfers of one ownership, the lower hash counts.
            guard let next = rivals.first else { break }
            // An owner's devices may carry out the same handover independently.
            if rivals.contains(where: { log.subject[$0] != log.subject[next] }) { isDisputed = true }
            ownerships.append(next)
            last = next
        }
        owner = log.members[log.holder(last)]
        for index in ownerships { valid[index] = true }
    }

    /// From the last ownership backwards: all acts of the current one are valid; of an earlier one, those named by its
    /// transfer or by a later owner's `keep`.
    mutating func judgeOwnersActs() {
        var place: [RecordHash: Int] = [:]
        for (number, index) in ownerships.enumerated() { place[log.hash(index)] = number }
        var kept: [Int: [NameSet]] = [:]
        for number in ownerships.indices.reversed() {
            let giving = ownerships[number]
            let isCurrent = number == ownerships.count - 1
            var lists = kept[number] ?? []
            if !isCurrent { lists.append(log.records[ownerships[number + 1]].act.names) }
            let names = NameSet.union(lists)
            if !isCurrent { keptNames[giving] = names }
            for index in log.children[giving] {
                guard log.kinds[index]?.isOwnerAct == true, log.by[index] == log.holder(giving),
                    givesLess(index, than: .owner), isCurrent || names.contains(log.hash(index))
                else { continue }
                valid[index] = true
                if case .keep(let ownership, let names) = log.records[index].act, let earlier = place[ownership],
                    earlier < number
                {
                    kept[earlier, default: []].append(names)
                }
            }
        }
    }

    /// True if a giving gives less than its signer's rank.
    func givesLess(_ index: Int, than rank: Role) -> Bool {
        switch log.records[index].act {
        case .invite(let link): link.role < rank
        case .grant(_, let role, _): role < rank
        default: true
        }
    }

    /// Collects the takings. The names in several takings of one right are united, so that a merging device can name
    /// more.
    mutating func gatherTakings() {
        var removals: [Int: [NameSet]] = [:]
        var revocations: [Int: [NameSet]] = [:]
        // Ascending by hash; beyond the limit, further names or demotions of one right do not count.
        for index in indices(of: [.remove, .revoke, .demote]) {
            switch log.records[index].act {
            case .remove(_, let names): Self.add(names, to: &removals[log.subject[index], default: []])
            case .revoke(let invitation, let names):
                guard let number = log.numbers[invitation] else { continue }
                Self.add(names, to: &revocations[number, default: []])
            case .demote:
                demotions[log.subject[index], default: []].append(index)
            default: break
            }
        }
        // The lowest role first: demotions beyond the limit must not raise anyone.
        for (member, cuts) in demotions where cuts.count > Limits.takingsPerRight {
            let ordered = cuts.sorted { (role(ofCut: $0), $0) < (role(ofCut: $1), $1) }
            demotions[member] = Array(ordered.prefix(Limits.takingsPerRight))
        }
        removedNames = removals.mapValues(NameSet.union)
        revokedNames = revocations.mapValues(NameSet.union)
        guard let owner, let number = log.memberNumbers[owner] else { return }
        removedNames[number] = nil
        demotions[number] = nil
    }

    private static func add(_ names: NameSet, to lists: inout [NameSet]) {
        if lists.count < Limits.takingsPerRight { lists.append(names) }
    }

    func role(ofCut index: Int) -> Role {
        guard case .demote(_, let role, _) = log.records[index].act else { return .viewer }
        return role
    }
}
