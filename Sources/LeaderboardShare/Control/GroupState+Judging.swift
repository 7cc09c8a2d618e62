package import NodeCore

extension GroupState {
    /// The data by which a record is judged. It is a control record of the set or a score, which depends on a member's
    /// rights in the same way.
    struct Evidence {
        let hash: RecordHash
        let by: Int
    }

    func evidence(_ index: Int) -> Evidence { Evidence(hash: log.hash(index), by: log.by[index]) }

    /// Judges the remaining records. Takings are fixed at this point, and givings only add, so a work list finds the
    /// least fixed point.
    mutating func judgeTheRest() {
        var work = log.records.indices.filter { valid[$0] }
        while let index = work.popLast() {
            var touched = log.children[index]
            if log.kinds[index]?.isGiving == true, !addsNothing(index) {
                let holder = log.holder(index)
                givings[holder].append(index)
                enter(index, holder)
                touched += log.admissions[holder]
            }
            for other in touched where !valid[other] && isValid(other) {
                valid[other] = true
                work.append(other)
            }
        }
    }

    /// True for another admission of a key that gives no more: without this, members could make the work cubic.
    private func addsNothing(_ giving: Int) -> Bool {
        guard log.kinds[giving] == .admission, let best = standings[log.holder(giving)].bestAdmission else {
            return false
        }
        return best >= gives(giving)
    }

    private mutating func enter(_ giving: Int, _ holder: Int) {
        let role = gives(giving)
        let cuts = cuts(giving)
        standings[holder].add(cuts.reduce(role) { min($0, self.role(ofCut: $1)) })
        // All admissions of a key have the same cuts, so another one matters only if it gives more.
        if log.kinds[giving] == .admission { standings[holder].bestAdmission = role }
        for need in [Role.viewer, .member, .admin] where role >= need && !standings[holder].isFree(need) {
            let below = cuts.filter { self.role(ofCut: $0) < need }
            if below.isEmpty {
                standings[holder].addFree(need)
            } else {
                standings[holder].add(names(of: below), need)
            }
        }
        enterKept(giving, holder, cuts)
    }

    /// An owner's entries other than control records, the games, stay with the control records once the ownership ends.
    private mutating func enterKept(_ giving: Int, _ holder: Int, _ cuts: [Int]) {
        guard let kept = keptNames[giving] else { return }
        let below = cuts.filter { role(ofCut: $0) < .admin }
        standings[holder].add(below.isEmpty ? kept : kept.intersection(names(of: below)), .admin)
    }

    private func names(of cuts: [Int]) -> NameSet { NameSet.union(cuts.map { log.records[$0].act.names }) }

    /// True if a record that depends on others is valid, as far as known at this point.
    private func isValid(_ index: Int) -> Bool {
        let giving = log.under[index]
        guard giving >= 0, valid[giving] else { return false }
        let evidence = evidence(index)
        switch log.kinds[index] {
        case .admission:
            // An admission uses two rights: the invitation's, and the admitter's.
            return isInvited(index, under: giving) && may(evidence, .member)
        case .invite, .suspend, .unsuspend:
            return (log.kinds[giving] == .admission || log.kinds[giving] == .grant)
                && log.holder(giving) == log.by[index] && givesLess(index, than: .admin) && isPresent(evidence)
                && covers(giving, evidence, .admin)
        default:
            return false
        }
    }

    /// Only the issuer admits under an invitation with limited uses. Judging the count would let an issuer invalidate
    /// an honest member by admitting another.
    private func isInvited(_ index: Int, under invitation: Int) -> Bool {
        guard case .admission(let admission) = log.records[index].act,
            case .invite(let link) = log.records[invitation].act, admission.chain.first == link
        else { return false }
        let pairs = zip(admission.chain.dropFirst(), admission.chain)
        guard pairs.allSatisfy({ $0.narrows($1) }) else { return false }
        let isCounted = admission.chain.contains { $0.uses < Delegation.unlimited }
        guard !isCounted || log.by[index] == log.by[invitation] else { return false }
        return stays(evidence(index), revokedNames[invitation])
    }

    /// True if a record stays valid when a right that it uses is taken; `names` is nil while the right is not taken.
    private func stays(_ evidence: Evidence, _ names: NameSet?) -> Bool { names?.contains(evidence.hash) ?? true }

    func isPresent(_ evidence: Evidence) -> Bool { stays(evidence, removedNames[evidence.by]) }

    /// True if the signer had the required role under any of its givings.
    func may(_ evidence: Evidence, _ need: Role) -> Bool {
        guard isPresent(evidence) else { return false }
        let standing = standings[evidence.by]
        return standing.isFree(need) || standing.named(need).contains { stays(evidence, $0) }
    }

    /// True if this giving supports the record: it gives the role, and no demotion below it applies, or the demotions
    /// name the record.
    private func covers(_ giving: Int, _ evidence: Evidence, _ need: Role) -> Bool {
        guard gives(giving) >= need else { return false }
        let below = cuts(giving).filter { role(ofCut: $0) < need }
        // Not the union of their names: a demoted member could make us sort it for each record it forges.
        return below.isEmpty || below.contains { stays(evidence, log.records[$0].act.names) }
    }

    /// The demotions that apply to this giving: all but those that it names, which only an owner's grant can do.
    func cuts(_ giving: Int) -> [Int] {
        let cuts = demotions[log.holder(giving)] ?? []
        guard !cuts.isEmpty, log.kinds[giving] == .grant else { return cuts }
        let follows = log.records[giving].act.names
        return cuts.filter { !follows.contains(log.hash($0)) }
    }

    /// The role of a giving before demotions; a former owner is a member.
    func gives(_ giving: Int) -> Role {
        switch log.records[giving].act {
        case .genesis, .transfer: giving == ownerships.last ? .owner : .member
        case .admission(let admission): admission.role
        case .grant(_, let role, _): role
        default: .viewer
        }
    }

    /// True if a score, or any record of a member's device, counts.
    /// - Parameters:
    ///   - hash: the record's hash, as a taking would name it.
    ///   - device: the record's lane, which the member must have certified.
    ///   - need: the role that the record requires.
    package func accepts(
        _ hash: RecordHash, by member: MemberID, device: LaneID, need: Role = .member
    ) -> Bool {
        !isClosed && accepted(hash, by: member, device: device, need: need)
    }

    /// The same, ignoring the group's end: the view of a read-only copy of a deleted group.
    package func accepted(
        _ hash: RecordHash, by member: MemberID, device: LaneID, need: Role = .member
    ) -> Bool {
        guard let number = log.memberNumbers[member],
            certified.contains(DeviceClaim(member: number, device: device))
        else { return false }
        return may(Evidence(hash: hash, by: number), need)
    }
}
