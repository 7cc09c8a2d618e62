import NodeCore

@testable import LeaderboardShare

extension GroupCheck {
    static func escalation(_ world: GroupWorld) throws {
        world.live(world.int(15...40))
        world.exchange()
        let owner = world.nodes[0]
        let target = owner.other()
        let deed = world.pick([GroupWorld.Deed.remove, .demote, .revoke, .transfer])
        if target == owner.key { return }
        let scores = owner.scores
        let agreed = owner.seen
        let made: ControlRecord? =
            switch deed {
            case .remove: owner.remove(target)
            case .demote: owner.demote(target)
            case .revoke: owner.revoke()
            default: owner.transfer()
            }
        guard let taking = made else { return }
        let before = owner.view
        let held = owner.held
        let named = taking.act.names
        try hold(scores.allSatisfy { !named.contains($0.hash) || before.accepts($0) }, "a named score is void")
        let scoreHashes = Set(scores.map(\.hash))
        try hold(
            deed == .remove
                || named.sorted.allSatisfy {
                    !agreed.contains($0) || before.isValid($0) || scoreHashes.contains($0)
                }, "what was named is void")
        let friends = world.some(before.members.keys.filter { $0 != before.owner }.sorted(), 0.5)
        let taken: MemberID? = deed == .transfer ? world.owner : deed == .revoke ? nil : taking.act.subject
        let forgers = friends + (taken.map { [$0, $0, $0] } ?? [world.freshMember()])
        let (forged, forgedScores) = world.forge(forgers, held, 25)
        let after = world.state(held + forged)
        let new = forged.filter { after.isValid($0.hash) }
        try hold(after.owner == before.owner && after.isClosed == before.isClosed, "owner or end of the group changed")
        try checkTaken(deed, taken, taking, before, after, new, forgedScores)
        for record in new {
            guard case .admission(let admission) = record.act else { continue }
            try hold(after.isValid(record.under), "a void invitation admits")
            guard let invite = after.records.first(where: { $0.hash == record.under }),
                case .invite(let link) = invite.act
            else { throw CheckFailure(description: "an admission under nothing") }
            let isOwners = after.earlierOwnerships.contains(invite.under) || after.ownership == invite.under
            try hold(
                admission.role <= link.role && link.role < (isOwners ? Role.owner : .admin), "rights grew")
        }
    }

    private static func checkTaken(
        _ deed: GroupWorld.Deed, _ taken: MemberID?, _ taking: ControlRecord, _ before: GroupState,
        _ after: GroupState, _ new: [ControlRecord], _ scores: [ModelScore]
    ) throws {
        func posts(_ key: MemberID) -> Bool { scores.contains { $0.by == key && after.accepts($0) } }
        switch (deed, taking.act) {
        case (.remove, .remove(let key, _)):
            try hold(after.members[key] == nil, "a removed key is back")
            try hold(!new.contains { $0.by == key }, "a removed key's record is valid")
            try hold(!posts(key), "a removed key posts")
        case (.demote, .demote(let key, let role, _)):
            let most = max(before.members[key] ?? .viewer, role)
            // Who leaves keeps the rights it had.
            let now = after.left.contains(key) ? most : after.members[key] ?? .viewer
            try hold(now <= most, "a demoted key rose")
            let acts = new.contains { $0.by == key && $0.kind?.isAdminAct == true }
            try hold(now >= .admin || !acts, "a demoted key's act is valid")
            try hold(now >= .member || !posts(key), "a demoted viewer posts")
        case (.revoke, .revoke(let invitation, _)):
            try hold(!new.contains { $0.under == invitation }, "a revoked invitation admits")
        default:
            if after.owner != taken {
                try hold(!new.contains { $0.under == taking.under }, "an ex-owner's act is valid")
            }
        }
    }

    static func interference(_ world: GroupWorld) throws {
        world.live(world.int(15...40))
        world.exchange()
        let owner = world.nodes[0]
        let before = owner.view
        let foes = world.some(before.members.keys.filter { $0 != world.owner }.sorted(), 0.5)
        let good = owner.scores.filter(before.accepts)
        let (made, _) = world.forge(foes + [world.freshMember()], owner.held, 25)
        let after = world.state(owner.held + made)
        try hold(good.allSatisfy(after.accepts), "an accepted score is void")
        // Whoever attacks may also leave, by its own word.
        let gone = after.left.subtracting(before.left)
        try hold(gone.isSubset(of: foes), "a member was made to leave")
        try hold(
            before.members.allSatisfy { key, role in after.members[key].map { $0 >= role } ?? gone.contains(key) },
            "a member lost a role")
        try hold(
            after.owner == before.owner && !after.isClosed && !after.suspended.contains(world.owner),
            "the group was taken, closed, or its owner suspended")
        owner.take(made)
        for key in foes {
            let suspension = owner.write(owner.authority ?? .zero, .suspend(key))
            let number = owner.view.log.memberNumbers[key]
            let givings = number.map { owner.view.givings[$0].map(owner.view.log.hash) } ?? []
            let lifts = givings.map { world.write(key, $0, .unsuspend(NameSet([suspension.hash]))) }
            try hold(
                world.state(owner.held + lifts).suspended.contains(key), "a member lifted its own suspension")
        }
        owner.write(owner.authority ?? .zero, .unsuspend(NameSet(owner.held.map(\.hash))))
        try hold(owner.view.suspended.isEmpty, "a suspension that cannot be lifted")
    }

    static func ends(_ world: GroupWorld, _ seed: UInt64) throws {
        world.live(world.int(10...30))
        world.exchange()
        let (one, two) = (world.nodes[0], world.nodes[1])
        let key = one.other()
        if key == world.owner { return }
        if seed % 2 == 1 {
            one.remove(key)
            two.grant(key, .admin)
            world.live(8)
            world.exchange()
            try hold(one.view.members[key] == nil, "a removed key is back")
            one.invite()
            let again = world.freshMember()
            one.admit(again)
            try hold(one.view.members[again] != nil, "no return with a new key")
        } else {
            one.grant(key, .admin)
            let cut = one.demote(key)
            guard case .demote(_, let role, _) = cut.act else { return }
            two.grant(key, .admin)
            world.exchange()
            try hold(
                one.view.members[key].map { $0 <= role } ?? false, "a grant won over a demotion that it did not know")
            let number = one.view.log.memberNumbers[key] ?? 0
            let late = one.view.givings[number].map { giving in
                let link = Delegation(role: .member, expiresSeconds: 9, key: .zero)
                return world.write(key, one.view.log.hash(giving), .invite(link), date: -9)
            }
            one.take(late)
            one.grant(key, .admin)
            try hold(one.view.members[key] == .admin, "a later grant does not raise")
            try hold(!late.contains { one.view.isValid($0.hash) }, "void acts came back with the new grant")
        }
        one.close()
        let (made, scores) = world.forge(world.nodes.map(\.key), one.held, 25)
        one.take(made)
        try hold(one.view.isClosed, "a closed group is open")
        try hold(!(scores + one.scores).contains(where: one.view.accepts), "a closed group accepts")
    }
}
