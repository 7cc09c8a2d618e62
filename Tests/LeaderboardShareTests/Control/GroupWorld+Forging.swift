import NodeCore

@testable import LeaderboardShare

extension GroupWorld {
    /// Records that the holders of these keys can sign, linking to anything, with any date.
    func forge(
        _ keys: [MemberID], _ held: [ControlRecord], _ count: Int
    ) -> (records: [ControlRecord], scores: [ModelScore]) {
        var pool = held
        var made: [ControlRecord] = []
        var scores: [ModelScore] = []
        if keys.isEmpty { return ([], []) }
        let everyone = Set(pool.flatMap { [$0.by] + ($0.act.subject.map { [$0] } ?? []) }).sorted() + keys
        for _ in 0..<count {
            let by = pick(keys)
            let kind = int(0...18)
            let mine = pool.filter { $0.kind?.isGiving == true && $0.holder == by }
            let own = mine.isEmpty ? pool : mine
            let invites = pool.filter { $0.kind == .invite }
            let target =
                kind == Int(ControlKind.admission.rawValue)
                ? pick(invites.isEmpty ? pool : invites) : pick(chance(0.8) ? own : pool)
            if kind == 17 {
                scores.append(forgedScore(by, pool))
                continue
            }
            // The stated limit: an ownership is not handed over twice by an honest owner.
            let isTransfer = kind == Int(ControlKind.transfer.rawValue)
            if isTransfer, target.kind == .genesis || target.kind == .transfer { continue }
            let names = NameSet(some(pool, 0.3).map(\.hash))
            let act = forgedAct(kind, subject: pick(everyone), target, names)
            made.append(write(by, target.hash, act, date: -99))
            pool.append(made[made.count - 1])
        }
        return (made, scores)
    }

    private func forgedScore(_ by: MemberID, _ pool: [ControlRecord]) -> ModelScore {
        let devices = pool.compactMap { record -> LaneID? in
            guard record.by == by, case .certificate(let device, _) = record.act else { return nil }
            return device
        }
        let device = devices.isEmpty ? LaneID(.zero) : pick(devices)
        return ModelScore(hash: freshHash(), by: by, device: device)
    }

    private func forgedAct(
        _ kind: Int, subject: MemberID, _ target: ControlRecord, _ names: NameSet
    ) -> ControlAct {
        let link = Delegation(role: role(1...3), expiresSeconds: 9, key: .zero)
        switch ControlKind(rawValue: UInt64(kind)) {
        case .genesis:
            return .genesis(
                Genesis(random: .zero, createdAt: WallTime(milliseconds: 1), memberLimit: 9, rootCommitment: .zero))
        case .grant: return .grant(to: subject, role: role(1...4), follows: names)
        case .invite: return .invite(link)
        case .admission:
            var chain: [Delegation] = []
            if case .invite(let first) = target.act { chain = [first] }
            if chain.isEmpty || chance(0.5) { chain.append(link) }
            return .admission(Admission(subject: subject, chain: chain, linkSignatures: [], proof: []))
        case .certificate: return .certificate(device: freshDevice(), index: UInt8(int(0...15)))
        case .suspend: return .suspend(subject)
        case .unsuspend: return .unsuspend(names)
        case .remove: return .remove(subject, staying: names)
        case .demote: return .demote(subject, to: role(1...4), staying: names)
        case .revoke: return .revoke(invitation: target.hash, staying: names)
        case .keep: return .keep(ownership: target.hash, staying: names)
        case .transfer: return .transfer(Transfer(to: subject, acceptance: [], staying: names))
        case .title: return .title(GroupTitle(number: UInt64(int(0...15)), title: "T"))
        case .rotate:
            return .rotate(
                Rotation(
                    number: UInt64(int(0...15)), commitment: .zero, previous: .zero, sealedPrevious: [], follows: names)
            )
        case .seal: return .seal(root: target.hash, to: subject, sealed: [1])
        case .close: return .close
        case .leave: return .leave(names)
        case nil: return .later(kind: 99, fields: [1, 2])
        }
    }
}
